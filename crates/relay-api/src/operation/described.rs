//! Operations of every type in one list: the table of routes, of the document and of the tests.

use std::any::TypeId;

use assent_protocol::a2h::ApiCode;
use http::Method;
use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::{Access, Header, Operation, Reply, Shape, Tag};

/// An operation without its types.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Described {
    /// [`Operation::ID`]
    pub id: &'static str,
    /// [`Operation::METHOD`]
    pub method: Method,
    /// [`Operation::PATH`]
    pub path: &'static str,
    /// [`Operation::ACCESS`]
    pub access: Access,
    /// [`Operation::TAG`]
    pub tag: Tag,
    /// [`Operation::SUMMARY`]
    pub summary: &'static str,
    /// [`Operation::DESCRIPTION`]
    pub description: &'static str,
    /// [`Operation::SUCCESS`]
    pub success: u16,
    /// [`Operation::EXTRA_SUCCESS`]
    pub extra_success: &'static [(u16, &'static str)],
    /// [`Operation::REQUEST_HEADERS`]
    pub request_headers: &'static [Header],
    /// [`Operation::RESPONSE_HEADERS`]
    pub response_headers: &'static [Header],
    /// [`Operation::SETS_COOKIE`]
    pub sets_cookie: bool,
    /// [`Operation::IDEMPOTENT`]
    pub idempotent: bool,
    /// [`Operation::BODY_OPTIONAL`]
    pub body_optional: bool,
    /// [`Operation::BODY_LIMIT`]
    pub body_limit: usize,
    /// [`Operation::EXAMPLE`]
    pub example: &'static str,
    /// [`Reply::SHAPE`]
    pub shape: Shape,
    own_errors: &'static [ApiCode],
    path_type: Part,
    query_type: Part,
    body_type: Part,
    reply_schema: fn(&mut SchemaGenerator) -> Schema,
}

/// The type of a part of the request.
#[derive(Clone, Copy, Debug)]
struct Part {
    type_id: fn() -> TypeId,
    schema: fn(&mut SchemaGenerator) -> Schema,
}

impl Part {
    /// A part whose fields stand one by one in the document.
    const fn spread<T: JsonSchema + 'static>() -> Self {
        Self { type_id: TypeId::of::<T>, schema: T::json_schema }
    }

    /// A part that the document refers to by its name.
    const fn named<T: JsonSchema + 'static>() -> Self {
        Self { type_id: TypeId::of::<T>, schema: SchemaGenerator::subschema_for::<T> }
    }

    fn is_there(self) -> bool {
        (self.type_id)() != TypeId::of::<()>()
    }

    fn schema(self, generator: &mut SchemaGenerator) -> Option<Schema> {
        self.is_there().then(|| (self.schema)(generator))
    }
}

impl Described {
    /// The description of an operation.
    #[must_use]
    pub const fn of<O: Operation>() -> Self {
        Self {
            id: O::ID,
            method: O::METHOD,
            path: O::PATH,
            access: O::ACCESS,
            tag: O::TAG,
            summary: O::SUMMARY,
            description: O::DESCRIPTION,
            success: O::SUCCESS,
            extra_success: O::EXTRA_SUCCESS,
            request_headers: O::REQUEST_HEADERS,
            response_headers: O::RESPONSE_HEADERS,
            sets_cookie: O::SETS_COOKIE,
            idempotent: O::IDEMPOTENT,
            body_optional: O::BODY_OPTIONAL,
            body_limit: O::BODY_LIMIT,
            example: O::EXAMPLE,
            shape: <O::Reply as Reply>::SHAPE,
            own_errors: O::ERRORS,
            path_type: Part::spread::<O::Path>(),
            query_type: Part::spread::<O::Query>(),
            body_type: Part::named::<O::Body>(),
            reply_schema: <O::Reply as Reply>::schema,
        }
    }

    /// Whether a request has a body.
    #[must_use]
    pub fn takes_body(&self) -> bool {
        self.body_type.is_there()
    }

    /// The schema of the parameters in the path: an object with a property each.
    pub fn path_schema(&self, generator: &mut SchemaGenerator) -> Option<Schema> {
        self.path_type.schema(generator)
    }

    /// The schema of the parameters in the query: an object with a property each.
    pub fn query_schema(&self, generator: &mut SchemaGenerator) -> Option<Schema> {
        self.query_type.schema(generator)
    }

    /// The schema of the body of the request.
    pub fn body_schema(&self, generator: &mut SchemaGenerator) -> Option<Schema> {
        self.body_type.schema(generator)
    }

    /// The schema of the body of the response, envelope included.
    pub fn reply_schema(&self, generator: &mut SchemaGenerator) -> Option<Schema> {
        self.shape.media_type().map(|_| (self.reply_schema)(generator))
    }

    /// Every way in which it can fail, in the order of the codes.
    #[must_use]
    pub fn errors(&self) -> Vec<ApiCode> {
        let mut codes = self.own_errors.to_vec();
        codes.extend(self.access.refusals());
        codes.extend([ApiCode::UriTooLong, ApiCode::HeadersTooLarge, ApiCode::RateLimited]);
        codes.extend([ApiCode::InternalError, ApiCode::ShuttingDown]);
        if self.tag != Tag::Operations {
            codes.push(ApiCode::StorageUnavailable);
        }
        if self.path_type.is_there() {
            codes.extend([ApiCode::BadRequest, ApiCode::NotFound]);
        }
        if self.query_type.is_there() {
            codes.extend([ApiCode::BadRequest, ApiCode::ValidationFailed]);
        }
        if self.shape == Shape::Upgrade {
            codes.push(ApiCode::BadRequest);
        }
        if self.takes_body() {
            codes.extend([
                ApiCode::MalformedJson,
                ApiCode::BadRequest,
                ApiCode::RequestTimeout,
                ApiCode::PayloadTooLarge,
                ApiCode::UnsupportedMediaType,
                ApiCode::ValidationFailed,
            ]);
        }
        codes.sort_unstable();
        codes.dedup();
        codes
    }

    /// The names between braces in the path, in their order.
    pub fn path_parameters(&self) -> impl Iterator<Item = &'static str> {
        self.path.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(name, _)| name)
    }
}
