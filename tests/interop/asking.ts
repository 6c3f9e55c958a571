import { ok } from "node:assert/strict";
import type { Driver } from "./driver.js";
import { type Lacking, lacks, type Row, type Served } from "./row.js";

type Behavior = (driver: Driver, row: Row) => Promise<Lacking | undefined>;

/** What is tried of questions in the middle of a call, and of changes, where both sides have them. */
export const askingBehaviors: Readonly<Record<string, Behavior>> = {
  elicitation: isAnswered("form", "Ada"),
  pages: isAnswered("page", "accept"),
  sampling: isAnswered("model", "words of a model"),
  roots: isAnswered("roots", "file:///projects/ada"),

  changes: async (driver, { server: { change = noChanges } }) => {
    if (driver.heard === undefined) return onlyTools;
    if (lacks(change)) return change;
    await driver.heard(change.uri, () => driver.call(change.tool, change.args));
    return undefined;
  },
};

/** A tool asks, and what was answered is in what it says. */
function isAnswered(question: "form" | "page" | "model" | "roots", answer: string): Behavior {
  return async (driver, { server: { asks = noQuestions } }: { readonly server: Served }) => {
    if (driver.answers !== true) return onlyTools;
    if (lacks(asks)) return asks;
    const { tool, args } = asks[question];
    const { text, isError } = await driver.call(tool, args);
    ok(!isError && text.includes(answer), `${tool} answered ${text}`);
    return undefined;
  };
}

const noQuestions = { lacks: "its tools ask nothing" };
const noChanges = { lacks: "nothing of it changes" };
const onlyTools = { lacks: "it is tried with tools only" };
