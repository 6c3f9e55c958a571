import { ok } from "node:assert/strict";
import type { Driver } from "./driver.js";
import { type Lacking, lacks, type Row } from "./row.js";

type Behavior = (driver: Driver, row: Row) => Promise<Lacking | undefined>;

/** What is tried of a server's resources, prompts, suggestions and logs, where both sides have them. */
export const readingBehaviors: Readonly<Record<string, Behavior>> = {
  resources: async ({ reading }, { server: { resource = noContents } }) => {
    if (reading === undefined) return onlyTools;
    if (lacks(resource)) return resource;
    const uris = await reading.resources();
    ok(uris.includes(resource.uri), `${resource.uri} is not among ${uris}`);
    const text = await reading.read(resource.uri);
    ok(text.includes(resource.text), `${resource.uri} is ${text}`);
    return undefined;
  },

  prompts: async ({ reading }, { server: { prompt = noContents } }) => {
    if (reading === undefined) return onlyTools;
    if (lacks(prompt)) return prompt;
    const names = await reading.prompts();
    ok(names.includes(prompt.name), `${prompt.name} is not among ${names}`);
    const text = await reading.prompt(prompt.name, prompt.args);
    ok(text.includes(prompt.text), `${prompt.name} is ${text}`);
    return undefined;
  },

  completion: async ({ reading }, { server: { suggestion = noContents } }) => {
    if (reading === undefined) return onlyTools;
    if (lacks(suggestion)) return suggestion;
    const { prompt, argument, typed, value } = suggestion;
    const values = await reading.complete(prompt, argument, typed);
    ok(values.includes(value), `${value} is not among ${values}`);
    return undefined;
  },

  logs: async ({ reading }, { server: { log = noContents } }) => {
    if (reading === undefined) return onlyTools;
    if (lacks(log)) return log;
    const heard = await reading.logged(log.tool, log.args);
    ok(heard.includes(log.level), `heard ${heard.length === 0 ? "nothing" : heard}`);
    return undefined;
  },
};

const noContents = { lacks: "it has tools and nothing else" };
const onlyTools = { lacks: "it is tried with tools only" };
