/**
 * The reader: answers from given sources, with citations, and nothing else. The shapes are those of the NotebookLM proxy
 * whoever answers.
 *
 * What every member of the family promises: an answer cites what it rests on; `cited_text` stands in the source that it
 * names; where the sources say nothing, it says so. Away or too slow: a failure NLM_UNAVAILABLE.
 */
export interface Reader {
  readonly name: string;
  ask(question: Question): Promise<Answer>;
  health(): Promise<{ readonly ok: boolean; readonly place: string }>;
}

export interface Question {
  readonly question: string;
  readonly system_prompt?: string;
  readonly notebook_id?: string;
  /** Texts that the question is about: where there are some, nothing else is looked at. */
  readonly about?: readonly ReadingSource[];
  /** What may be cited, for readers that do not have their own. */
  readonly sources: readonly ReadingSource[];
  readonly signal: AbortSignal;
}

export interface ReadingSource {
  readonly title: string;
  readonly text: string;
}

export interface Answer {
  readonly answer: string;
  readonly references: readonly {
    readonly citation_number: number;
    readonly source_title: string;
    readonly cited_text: string;
  }[];
}

export const READER_LIMIT_MS = 45_000;
