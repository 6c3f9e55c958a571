import { type AnswerHandlers, answers, type PageQuestion } from "@parlance/client";
import { expect } from "vitest";
import { type Behavior, type Column, failure, say } from "../behavior.js";

const roots = [{ uri: "file:///projects/ada", name: "home" }];
const said = { role: "assistant", content: { type: "text", text: "It is said" }, model: "matrix" } as const;

/** What a server asks in the middle of a call. */
export const asking: readonly Behavior[] = [
  {
    title:
      "a form is filled in, declined or cancelled, told apart, since 2025-06-18; with defaults for texts since 2025-11-25",
    run: async (_, column) => {
      const chosen = column.has("2025-11-25") ? {} : { color: "r" };
      const outcomes = [
        { action: "accept", content: { name: "Ada", ...chosen } },
        { action: "decline" },
        { action: "cancel" },
      ] as const;
      let at = 0;
      const ask = async (): Promise<unknown> => {
        const told = await asked(column, "ask", { form: () => outcomes[at++] ?? { action: "cancel" } });
        return JSON.parse(told);
      };
      if (!column.has("2025-06-18")) return refuses(column, ask());
      expect(await ask()).toEqual({ action: "accept", content: { name: "Ada", color: "r", sure: true } });
      expect(await ask()).toEqual({ action: "decline" });
      expect(await ask()).toEqual({ action: "cancel" });
    },
  },
  {
    title: "a page is visited by who agrees, shown whole with its host, since 2025-11-25",
    run: async (_, column) => {
      const pages: PageQuestion[] = [];
      const visit = asked(column, "visit", {
        url: (page) => {
          pages.push(page);
          return "accept";
        },
      });
      if (!column.has("2025-11-25")) return refuses(column, visit);
      expect(JSON.parse(await visit)).toEqual({ action: "accept" });
      expect(pages).toMatchObject([
        { message: "Agree there", url: "https://example.com/consent", host: "example.com" },
      ]);
    },
  },
  {
    title: "a model says what a tool wants to hear",
    run: async (_, column) => {
      expect(await asked(column, "sample", { sample: () => said })).toBe(JSON.stringify(said.content));
    },
  },
  {
    title: "a model is given tools, since 2025-11-25",
    run: async (_, column) => {
      const use = { type: "tool_use", id: "1", name: "look", input: {} } as const;
      const used = asked(column, "use", {
        sample: ({ tools }) => ({ ...said, content: tools?.length === 1 ? use : said.content, stopReason: "toolUse" }),
        sampling: { tools: true },
      });
      if (!column.has("2025-11-25")) return refuses(column, used);
      expect(JSON.parse(await used)).toMatchObject(use);
    },
  },
  {
    title: "a tool is told where it may work",
    run: async (_, column) => {
      expect(await asked(column, "roots", { roots })).toBe(JSON.stringify(roots));
    },
  },
  {
    title: "what is asked at once is answered at once",
    run: async (_, column) => {
      let others = 0;
      let meet = (): void => undefined;
      const met = new Promise<void>((resolve) => {
        meet = resolve;
      });
      const join = async <T>(answer: T): Promise<T> => {
        if (++others === 2) meet();
        await met;
        return answer;
      };
      const handlers = { roots: () => join(roots), sample: () => join(said) };
      expect(await asked(column, "both", handlers)).toBe("1 roots, matrix");
    },
  },
  {
    title: "what is done between two questions is done once",
    run: async (_, { connect }) => {
      const { client } = await connect({ answers: answers({ roots, sample: () => said }) });
      expect(await say(client, "once")).toBe("home, matrix: worked 1 of 1");
      expect(await say(client, "once")).toBe("home, matrix: worked 2 of 2");
      await client.close();
    },
  },
  {
    title: "a client that did not say it can answer is not asked",
    run: async ({ client }, column) => {
      for (const tool of ["ask", "visit", "sample", "use", "roots", "both", "once"]) {
        await refuses(column, client.callTool(tool));
      }
    },
  },
];

async function asked({ connect }: Column, tool: string, handlers: AnswerHandlers): Promise<string> {
  const { client } = await connect({ answers: answers(handlers) });
  try {
    return await say(client, tool);
  } finally {
    await client.close();
  }
}

/** The revision has no such question: the call is refused as from a client that cannot answer it. */
async function refuses({ era }: Column, answer: Promise<unknown>): Promise<void> {
  expect(await failure(answer)).toMatchObject({ code: era === "stateless" ? -32021 : -32600 });
}
