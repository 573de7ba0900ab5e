// Tool arguments against their schemas with ajv.

import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { run } from "./harness.mjs";

run(({ caseName, bytes }) => {
  const tools = JSON.parse(bytes("tools.json").toString("utf8"));
  const ajv = new Ajv2020.default({ strict: false });
  addFormats.default(ajv);
  const cases = { "validate-text": fromText, "validate-error": firstError, compile };
  return cases[caseName](ajv, tools);
});

/** From the text of the arguments to yes or no. */
function fromText(ajv, tools) {
  const all = tools.flatMap(({ schema, instances }) => {
    const validate = ajv.compile(schema);
    return instances.map(({ text, valid }) => ({ validate, text, valid }));
  });
  const valid = all.filter((instance) => instance.valid);
  const verdict = ({ validate, text }) => validate(JSON.parse(text));
  return {
    answer: () => all.map(verdict),
    pass() {
      let operations = 0;
      for (const instance of valid) {
        operations += verdict(instance) ? 1 : 0;
      }
      return operations;
    },
  };
}

/** From arguments that were parsed already, and are wrong, to a message and its place. */
function firstError(ajv, tools) {
  const wrong = tools.flatMap(({ schema, instances }) => {
    const validate = ajv.compile(schema);
    const invalid = instances.filter((instance) => !instance.valid);
    return invalid.map(({ text }) => ({ validate, value: JSON.parse(text) }));
  });
  const error = ({ validate, value }) => {
    validate(value);
    const { instancePath, message } = validate.errors[0];
    return { path: instancePath, message };
  };
  let sink = 0;
  return {
    answer: () => wrong.map(error),
    pass() {
      for (const instance of wrong) {
        const { path, message } = error(instance);
        sink += path.length + message.length;
      }
      return wrong.length;
    },
  };
}

/** From schemas to something that can be asked. */
function compile(ajv, tools) {
  const pass = () => {
    for (const { schema } of tools) {
      ajv.compile(schema);
      // Or the next pass would find it in the cache.
      ajv.removeSchema(schema);
    }
    return tools.length;
  };
  return { answer: pass, pass };
}
