// The world of the tests.

export const { startWorld } = await import(process.env.ASSENT_BROWSER_WORLD ?? "./world.js");
