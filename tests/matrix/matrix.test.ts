import { afterAll, beforeAll, describe, test } from "vitest";
import { type Behavior, type Column, createColumn, type Line } from "./behavior.js";
import { agreeing } from "./behaviors/agreeing.js";
import { asking } from "./behaviors/asking.js";
import { calling } from "./behaviors/calling.js";
import { content } from "./behaviors/content.js";
import { ending } from "./behaviors/ending.js";
import { framing } from "./behaviors/framing.js";
import { listening } from "./behaviors/listening.js";
import { reading } from "./behaviors/reading.js";
import { tasksBehaviors } from "./behaviors/tasks.js";
import { waiting } from "./behaviors/waiting.js";
import { httpWays } from "./http.js";
import { transports, wayOf } from "./transports.js";

const behaviors = [
  ...agreeing,
  ...calling,
  ...asking,
  ...content,
  ...waiting,
  ...listening,
  ...framing,
  ...ending,
  ...tasksBehaviors,
  ...reading,
];

const pipes = Object.entries(transports).map(([name, reach]) => [name, wayOf(reach)] as const);

describe.each([...pipes, ...Object.entries(httpWays)])("%s", (_, way) => {
  afterAll(() => way.release());

  describe.each(way.revisions)("%s", (version) => {
    const column = createColumn(way, version);
    let line: Line;

    beforeAll(async () => {
      line = await column.connect();
    });
    afterAll(() => line.client.close());

    for (const behavior of behaviors) {
      if (isPossible(behavior, column)) test(behavior.title, () => behavior.run(line, column));
    }
  });
});

function isPossible({ only, needsConnection }: Behavior, { era, isConnection }: Column): boolean {
  return (only === undefined || only === era) && (needsConnection === undefined || isConnection);
}
