// All texts in English.

import agents from "./en/agents.js";
import common from "./en/common.js";
import prompt from "./en/prompt.js";
import records from "./en/records.js";
import settings from "./en/settings.js";

export default { ...common, ...prompt, ...agents, ...records, ...settings };
