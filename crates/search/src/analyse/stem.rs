//! English words without their endings.
//!
//! Light on purpose: plural, past and progressive forms always go, and of the many other endings only
//! those that turn what a tool does into what a tool is called: `translate`, `translation` and
//! `translator` meet, `custom` and `customer` do not. A stem need not be a word, it only has to be the
//! same for all forms.

/// Words that look like a plural and are none.
const SINGULAR: [&str; 2] = ["news", "lens"];

/// What an ending becomes, if at least so many letters stay before it. The first that fits counts.
const PLURAL: [Ending; 7] = [
    Ending("ies", "y", 2),
    Ending("sses", "ss", 1),
    Ending("xes", "x", 1),
    Ending("zes", "z", 2),
    Ending("ches", "ch", 1),
    Ending("shes", "sh", 1),
    Ending("s", "", 2),
];

const PAST: [Ending; 3] = [Ending("ied", "y", 2), Ending("ing", "", 3), Ending("ed", "", 3)];

const ACTION: [Ending; 11] = [
    Ending("ification", "ify", 1),
    Ending("ifier", "ify", 2),
    Ending("izer", "ize", 3),
    Ending("iser", "ise", 3),
    Ending("ization", "ize", 3),
    Ending("isation", "ise", 3),
    Ending("ation", "ate", 3),
    Ending("ator", "ate", 3),
    Ending("ction", "ct", 2),
    Ending("etion", "ete", 2),
    Ending("ution", "ute", 3),
];

struct Ending(&'static str, &'static str, usize);

impl Ending {
    fn replace(&self, word: &mut String) -> bool {
        let Self(ending, replacement, min) = self;
        match word.strip_suffix(ending).map(str::len) {
            Some(length) if length >= *min => {
                word.truncate(length);
                word.push_str(replacement);
                true
            }
            _ => false,
        }
    }
}

/// Takes the endings off a word in lower case. Words of other languages stay as they are, mostly.
pub(crate) fn stem(word: &mut String) {
    let is_english = word.bytes().all(|letter| letter.is_ascii_lowercase());
    if word.len() < 4 || !is_english || SINGULAR.contains(&word.as_str()) {
        return;
    }
    if !word.ends_with("ss") && !word.ends_with("us") {
        replace_first(&PLURAL, word);
    }
    strip_past(word);
    replace_first(&ACTION, word);
    unify_last_letter(word);
}

fn replace_first(endings: &[Ending], word: &mut String) {
    let _ = endings.iter().any(|ending| ending.replace(word));
}

/// `string` and `speed` are no forms of `str` and `spe`: a verb keeps a vowel, and more than `-eed`.
fn strip_past(word: &mut String) {
    let verb = word.strip_suffix("ing").or_else(|| word.strip_suffix("ed"));
    let is_form = verb.is_some_and(|verb| verb.contains(is_vowel) && !verb.ends_with('e'))
        || word.ends_with("ied");
    if !is_form {
        return;
    }
    let before = word.len();
    replace_first(&PAST, word);
    // `planned` is a form of `plan`, but `called` one of `call`.
    if word.len() < before && word.len() > 3 && !word.ends_with(['l', 's', 'z', 'y']) {
        drop_double(word);
    }
}

fn drop_double(word: &mut String) {
    let mut letters = word.chars().rev();
    if letters.next() == letters.next() {
        word.pop();
    }
}

/// `creat(e)`, `cop(y)` and `cop(i)(es)`, `cancel(l)(ed)`.
fn unify_last_letter(word: &mut String) {
    if word.len() < 4 {
        return;
    }
    match word.pop() {
        Some('e') => {}
        Some('y') if !word.ends_with(is_vowel) => word.push('i'),
        Some('l') if word.len() > 4 && word.ends_with('l') => {}
        Some(other) => word.push(other),
        None => {}
    }
}

fn is_vowel(letter: char) -> bool {
    matches!(letter, 'a' | 'e' | 'i' | 'o' | 'u' | 'y')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stemmed(word: &str) -> String {
        let mut word = word.to_owned();
        stem(&mut word);
        word
    }

    #[test]
    fn forms_of_a_word_meet() {
        for forms in [
            "create creates created creating creation creator",
            "translate translation translations translator",
            "notify notifies notified notifying notification",
            "issue issues",
            "search searches searched searching",
            "copy copies copied copying",
            "plan plans planned planning",
            "call calls called calling",
            "cancel cancelled canceled cancelling",
            "install installed installing",
            "delete deleted deletion",
            "execute execution executing",
            "address addresses addressed",
            "optimize optimizer optimization optimizing",
            "movie movies",
            "api apis",
            "play plays played playing",
            "focus focused",
            "box boxes",
        ] {
            let stems: Vec<_> = forms.split(' ').map(stemmed).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{forms}: {stems:?}");
        }
    }

    #[test]
    fn different_words_stay_apart() {
        for (one, other) in [
            ("custom", "customer"),
            ("new", "news"),
            ("string", "str"),
            ("number", "numb"),
            ("station", "state"),
            ("speed", "spe"),
            ("universe", "university"),
            ("policy", "police"),
            ("need", "ne"),
        ] {
            assert_ne!(stemmed(one), stemmed(other));
        }
    }

    #[test]
    fn other_languages_stay_as_they_are() {
        for word in ["größes", "отчётs", "s3s", "邮件"] {
            assert_eq!(stemmed(word), word);
        }
    }
}
