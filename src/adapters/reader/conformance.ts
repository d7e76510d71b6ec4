import { describe, expect, test } from "vitest";
import { isFailure } from "../../base/failure.ts";
import type { Reader, ReadingSource } from "../../ports/reader.ts";

/** A reader under test, made anew for every test. */
export interface ReaderSetup {
  readonly reader: Reader;
  /** For readers with notebooks of their own. */
  readonly notebook_id?: string;
}

const violin: ReadingSource = {
  title: "notes/violin.md",
  text: "# Скрипка\n\nСкрипка — струнний смичковий інструмент. Вона має чотири струни.\n\nПерші скрипки з'явилися в XVI столітті в Італії.\n",
};
const cello: ReadingSource = {
  title: "notes/cello.md",
  text: "# Cello\n\nThe cello is lower than the violin. It has four strings.\n",
};
const sources = [violin, cello];

/** The promises of `ports/reader.ts`. `open` returns a reader that knows `sources`. */
export function readerConformance(
  name: string,
  open: (sources: readonly ReadingSource[]) => Promise<ReaderSetup>,
): void {
  describe(`R-4 the reader ${name}`, () => {
    const ask = async (question: string, signal = new AbortController().signal) => {
      const { reader, notebook_id } = await open(sources);
      return reader.ask({ question, sources, signal, ...(notebook_id !== undefined && { notebook_id }) });
    };

    test.each(["Скільки струн має скрипка?", "Is the cello lower than the violin?"])(
      "an answer cites the sources it rests on: %s",
      async (question) => {
        const { answer, references } = await ask(question);
        expect(references.length).toBeGreaterThan(0);
        for (const { citation_number, source_title, cited_text } of references) {
          expect(answer).toContain(`[${citation_number}]`);
          expect(sources.find(({ title }) => title === source_title)?.text).toContain(cited_text);
        }
      },
    );

    test("an answer without citations says that the sources have none", async () => {
      const { answer, references } = await ask("Яка столиця Бразилії?");
      expect(references).toEqual([]);
      expect(answer).not.toBe("");
    });

    test("an aborted question is not sent", async () => {
      const reason = new Error("enough");
      await expect(ask("Скільки струн?", AbortSignal.abort(reason))).rejects.toBe(reason);
    });

    test("a working reader reports that it is healthy", async () => {
      const { reader } = await open(sources);
      expect((await reader.health()).ok).toBe(true);
    });

    test("every failure has the code that stops a run", async () => {
      const { reader } = await open(sources);
      try {
        await reader.ask({ question: "?", sources: [], signal: new AbortController().signal });
      } catch (error) {
        expect(isFailure(error, "NLM_UNAVAILABLE")).toBe(true);
      }
    });
  });
}
