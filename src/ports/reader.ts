/**
 * The reader answers questions from given sources, with citations. All adapters use the shapes of the NotebookLM proxy.
 *
 * Every adapter guarantees: an answer cites its sources; `cited_text` occurs in the source it names; if the sources have no
 * answer, the answer says so. Throws NLM_UNAVAILABLE if the service is unavailable or too slow.
 */
export interface Reader {
  readonly name: string;
  ask(question: ReaderQuestion): Promise<ReaderAnswer>;
  health(): Promise<{ readonly ok: boolean; readonly place: string }>;
}

export interface ReaderQuestion {
  readonly question: string;
  readonly system_prompt?: string;
  readonly notebook_id?: string;
  /** Texts that the question is about. If given, `sources` are not searched. */
  readonly about?: readonly ReadingSource[];
  /** Texts that may be cited, for readers without sources of their own. */
  readonly sources: readonly ReadingSource[];
  readonly signal: AbortSignal;
}

export interface ReadingSource {
  readonly title: string;
  readonly text: string;
}

export interface ReaderAnswer {
  readonly answer: string;
  readonly references: readonly {
    readonly citation_number: number;
    readonly source_title: string;
    readonly cited_text: string;
  }[];
}

export const READER_LIMIT_MS = 45_000;
