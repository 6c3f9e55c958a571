import { afterAll, beforeAll, describe, test } from "vitest";
import { type Column, createColumn, eraOf, type Line, revisions } from "./behavior.js";
import { agreeing } from "./behaviors/agreeing.js";
import { calling } from "./behaviors/calling.js";
import { content } from "./behaviors/content.js";
import { ending } from "./behaviors/ending.js";
import { framing } from "./behaviors/framing.js";
import { waiting } from "./behaviors/waiting.js";
import { transports, type Way } from "./transports.js";

const behaviors = [...agreeing, ...calling, ...content, ...waiting, ...framing, ...ending];

describe.each(Object.entries(transports))("%s", (_, reach) => {
  let way: Way;

  beforeAll(() => {
    way = reach();
  });
  afterAll(() => way.release());

  describe.each(revisions)("%s", (version) => {
    let column: Column;
    let line: Line;

    beforeAll(async () => {
      column = createColumn(way.transport, version);
      line = await column.connect();
    });
    afterAll(() => line.client.close());

    for (const { title, only, run } of behaviors) {
      if (only === undefined || only === eraOf(version)) test(title, () => run(line, column));
    }
  });
});
