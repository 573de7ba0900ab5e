//! Serialization of digests and times in grants.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A digest as 64 hexadecimal digits.
pub(super) mod one_digest {
    use assent_json::Digest;

    use super::{Deserialize, Deserializer, Serializer, de};

    pub(in crate::grant) fn serialize<S: Serializer>(
        digest: &Digest,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(digest)
    }

    pub(in crate::grant) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Digest, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// An optional digest.
pub(super) mod digest {
    use assent_json::Digest;

    use super::{Deserializer, Serializer, one_digest};

    pub(in crate::grant) fn serialize<S: Serializer>(
        digest: &Option<Digest>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match digest {
            Some(digest) => serializer.collect_str(digest),
            None => serializer.serialize_none(),
        }
    }

    pub(in crate::grant) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Digest>, D::Error> {
        one_digest::deserialize(deserializer).map(Some)
    }
}

/// An optional time, in milliseconds since 1970.
pub(super) mod millis {
    use assent_ids::UnixMillis;

    use super::{Deserialize, Deserializer, Serialize, Serializer};

    pub(in crate::grant) fn serialize<S: Serializer>(
        time: &Option<UnixMillis>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(UnixMillis::get).serialize(serializer)
    }

    pub(in crate::grant) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<UnixMillis>, D::Error> {
        u64::deserialize(deserializer).map(UnixMillis::new).map(Some)
    }
}

/// JSON Pointers with the digests of the values.
pub(super) mod pinned {
    use assent_json::Digest;

    use super::{Deserialize, Deserializer, Serializer, de};

    pub(in crate::grant) fn serialize<S: Serializer>(
        pinned: &[(String, Digest)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(pinned.iter().map(|(path, digest)| (path, digest.to_string())))
    }

    pub(in crate::grant) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(String, Digest)>, D::Error> {
        let pairs: Vec<(String, String)> = Vec::deserialize(deserializer)?;
        let read = |(path, digest): (String, String)| {
            digest.parse().map(|digest| (path, digest)).map_err(de::Error::custom)
        };
        pairs.into_iter().map(read).collect()
    }
}
