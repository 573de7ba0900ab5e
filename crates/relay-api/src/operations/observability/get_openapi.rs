//! `GET /openapi.json`

use assent_protocol::wire::Object;
use http::Method;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Access, Operation, Reply, Shape, Tag};

/// Gives this document.
#[derive(Clone, Copy, Debug)]
pub struct GetOpenApi;

impl Operation for GetOpenApi {
    const ID: &'static str = "get_openapi";
    const METHOD: Method = Method::GET;
    const PATH: &'static str = "/openapi.json";
    const ACCESS: Access = Access::PUBLIC;
    const TAG: Tag = Tag::Operations;
    const SUMMARY: &'static str = "This document";
    const IDEMPOTENT: bool = true;

    type Path = ();
    type Query = ();
    type Body = ();
    type Reply = OpenApiDocument;
}

/// An OpenAPI 3.1 document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct OpenApiDocument(pub Object);

impl Reply for OpenApiDocument {
    const SHAPE: Shape = Shape::Bare;
}
