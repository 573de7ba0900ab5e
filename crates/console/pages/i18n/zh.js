// All texts in Chinese.

import agents from "./zh/agents.js";
import common from "./zh/common.js";
import prompt from "./zh/prompt.js";
import records from "./zh/records.js";
import settings from "./zh/settings.js";

export default { ...common, ...prompt, ...agents, ...records, ...settings };
