/** A program that serves over stdio, and how it is started. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What a call came to. */
export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly onProgress?: (done: number, total?: number) => void;
}

/** What a client can do besides calling tools. */
export interface Reading {
  /** The URIs of the resources. */
  resources(): Promise<readonly string[]>;
  read(uri: string): Promise<string>;
  /** The names of the prompts. */
  prompts(): Promise<readonly string[]>;
  prompt(name: string, args: Readonly<Record<string, string>>): Promise<string>;
  complete(prompt: string, argument: string, typed: string): Promise<readonly string[]>;
  /** The levels of what was logged during a call for which everything was asked for. */
  logged(tool: string, args: Readonly<Record<string, unknown>>): Promise<readonly string[]>;
}

/** A connected client, whoever wrote it, with the face that the behaviors are tried through. */
export interface Driver {
  readonly era: string;
  readonly version: string;
  /** The names of the tools. */
  list(): Promise<readonly string[]>;
  call(name: string, args: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<Answer>;
  /** Whether a call failed because its time was over. */
  isTimeout(error: unknown): boolean;
  readonly reading?: Reading;
  /** Whether it answers what a server asks: forms for "Ada", pages with consent, a model's words, and one root. */
  readonly answers?: boolean;
  /** Settles when a change of a resource was heard of that came while it listened, after `act` began. */
  readonly heard?: (uri: string, act: () => Promise<unknown>) => Promise<void>;
  close(): Promise<void>;
}

export type Open = (program: Program) => Promise<Driver>;
