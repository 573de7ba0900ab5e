// What the agent of the tests declares.

const object = (properties, required) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const tool = (name, scope, schema) => ({
  name,
  description_i18n_key: `test.${name}`,
  description_fallback: `The tool ${name}`,
  input_schema: schema,
  permission_scope: scope,
});

const scope = (id, sensitivity) => ({
  id,
  label_i18n_key: `scope.${id.replace(":", "_")}`,
  label_fallback: `The agent's words for ${id}`,
  sensitivity,
});

const text = { type: "string" };

export function manifest({ version = "1.0.0", required = ["path"] } = {}) {
  const headers = object({ accept: text, "accept-language": text, "content-type": text }, []);
  return {
    schema_version: "1.0",
    agent_version: version,
    tools: [
      tool(
        "read_file",
        "filesystem:read",
        object({ path: text, encoding: { enum: ["utf-8", "base64"] } }, required),
      ),
      tool(
        "fetch_url",
        "network:http",
        object({ url: text, method: { enum: ["GET", "POST"] }, headers, body: text }, ["url"]),
      ),
      tool(
        "send_notification",
        "notification:send",
        object({ title: text, body: text }, ["title"]),
      ),
      tool(
        "get_location",
        "location:read",
        object({ accuracy: { enum: ["coarse", "precise"] } }, []),
      ),
      tool("pay_invoice", "invoices:pay", object({ amount: text }, ["amount"])),
    ],
    permission_scopes: [
      scope("filesystem:read", "medium"),
      scope("network:http", "medium"),
      scope("notification:send", "low"),
      scope("location:read", "high"),
      scope("invoices:pay", "high"),
    ],
    capability_flags: {},
  };
}

/** A later version in which reading a file needs one argument more. */
export const narrowerManifest = () =>
  manifest({ version: "2.0.0", required: ["path", "encoding"] });
