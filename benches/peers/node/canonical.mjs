// Text to canonical form to SHA-256 with npm's canonicalize.

import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { run } from "./harness.mjs";

run(({ caseName, bytes }) => {
  const source = bytes(`manifest-${caseName.replace("canonical-", "")}.json`);
  const digest = () => {
    const value = JSON.parse(source.toString("utf8"));
    return createHash("sha256").update(canonicalize(value)).digest("hex");
  };
  let sink = 0;
  return {
    answer: digest,
    pass() {
      sink += digest().length;
      return 1;
    },
  };
});
