import type { ProtocolVersion } from "../version.js";

/** The little that a client needs to know of a revision: all of it would weigh more than the client's side of the era. */
export interface Introduction {
  /** Members of `Implementation` that a later revision added. */
  readonly laterInfo: readonly string[];
  /** Whether its sessions may carry batches. */
  readonly batches?: boolean | undefined;
  /** Whether every server may have completions, because none can announce them. */
  readonly impliesCompletions?: boolean | undefined;
}

const sinceNewest = ["description", "icons", "websiteUrl"];
const sinceTitles = ["title", ...sinceNewest];

const introductions: Readonly<Partial<Record<ProtocolVersion, Introduction>>> = {
  "2025-06-18": { laterInfo: sinceNewest },
  "2025-03-26": { laterInfo: sinceTitles, batches: true },
  "2024-11-05": { laterInfo: sinceTitles, impliesCompletions: true },
};

const newest: Introduction = { laterInfo: [] };

export function introductionTo(version: ProtocolVersion): Introduction {
  return introductions[version] ?? newest;
}
