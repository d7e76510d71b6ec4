import { describe, expect, test } from "vitest";
import type { Json } from "../../base/canonical.ts";
import { parsePseudocode } from "../text/parse.ts";
import type { Request } from "./request.ts";
import { programOf } from "./testing/procedures.ts";
import { walkAll } from "./testing/replay.ts";

const long = "слово ".repeat(300);
const short = "слово ".repeat(10);
const notes = [
  { slug: "bach", tags: ["summarized"], updated_at: "2026-02-10T00:00:00Z" },
  { slug: "paganini", tags: [], updated_at: "2026-02-14T00:00:00Z" },
  { slug: "tiny", tags: [], updated_at: "2026-02-14T00:00:00Z" },
];

/** Tools as the procedures of the sources expect them. */
function garden(answers: Record<string, (payload: Record<string, unknown>) => Json> = {}): {
  log: string[];
  oracle: (request: Request) => Json;
} {
  const log: string[] = [];
  const tools: Record<string, (payload: Record<string, unknown>) => Json> = {
    "read-notes": () => notes,
    "read-context": ({ name }) => (name === "tiny" ? short : long),
    "read-memory": () => ({ оброблені_slugs: ["bach"], останній_run: "2026-02-12T00:00:00Z" }),
    "write-memory": () => null,
    "notebooklm-query": ({ question }) => `відповідь на: ${String(question).slice(0, 14)}`,
    "create-proposal": ({ note }) => ({ proposal: `prop_${String(note)}` }),
    value: ({ ask }) => `значення ${String(ask)}`,
    now: () => 1_770_000_000_000,
    ...answers,
  };
  return {
    log,
    oracle: (request) => {
      log.push(`${request.kind} ${request.name} ${JSON.stringify(request.payload)}`);
      return tools[request.name]!(request.payload);
    },
  };
}

function walk(text: string, world: ReturnType<typeof garden>, input: Record<string, Json> = {}) {
  const { tree } = parsePseudocode(text);
  if (!tree) throw new Error("the procedure does not parse");
  return walkAll(programOf(tree), input, world.oracle);
}

const analysis = `ПОЧАТОК "Аналіз нотаток"

  нотатки ← read-notes(folder)

  ЯКЩО нотатки порожні
    write-memory("Нових нотаток немає")
    → КІНЕЦЬ

  ДЛЯ КОЖНОЇ нотатка З нотатки
    ЯКЩО нотатка.має_тег("summarized")
      → НАСТУПНА

    зміст ← read-context(нотатка.slug)

    ЯКЩО довжина(зміст) < 200 слів
      → НАСТУПНА

    відповідь ← notebooklm-query("Створи резюме", зміст)

    create-proposal(
      тип: "propose-summary",
      нотатка: нотатка.slug,
      зміст: відповідь
    )

КІНЕЦЬ
`;

const daily = `ПОЧАТОК "Щоденний аналіз"

  нотатки ← read-notes("violin.pp.ua")
  пам'ять ← read-memory()
  оброблені ← пам'ять.оброблені_slugs

  ДЛЯ КОЖНОЇ нотатка З нотатки
    ЯКЩО нотатка.slug Є В оброблені
      ЯКЩО нотатка.updated_at <= пам'ять.останній_run
        → НАСТУПНА

    зміст ← read-context(нотатка.slug)

    ЯКЩО довжина(зміст) < 200 слів
      → НАСТУПНА

    резюме ← notebooklm-query(
      "Створи структуроване резюме цієї нотатки. "
      "Включи: основну тезу, ключові поняття, зв'язки з іншими темами.",
      джерело: зміст
    )

    теги ← notebooklm-query(
      "Запропонуй 3-5 тегів для цієї нотатки на основі її змісту.",
      джерело: зміст
    )

    create-proposal(
      тип: "propose-summary",
      нотатка: нотатка.slug,
      зміст: резюме
    )

    create-proposal(
      тип: "propose-tag",
      нотатка: нотатка.slug,
      теги: теги
    )

  write-memory(
    оброблені: оновлений_список,
    останній_run: поточний_час
  )

КІНЕЦЬ
`;

describe("the procedures of the sources run to the end", () => {
  test("source 001 §3.3: tagged and short notes are skipped, a summary is proposed for the rest", () => {
    const world = garden();
    const { end } = walk(analysis, world, { folder: "violin" });
    expect(end).toEqual({ kind: "done" });
    expect(world.log).toEqual([
      'tool read-notes {"folder":"violin"}',
      'tool read-context {"name":"paganini"}',
      `tool notebooklm-query ${JSON.stringify({ question: "Створи резюме", source: long })}`,
      'propose create-proposal {"type":"propose-summary","note":"paganini","content":"відповідь на: Створи резюме"}',
      'tool read-context {"name":"tiny"}',
    ]);
  });

  test("source 002 §2.2: the procedure reports that there are no notes, and ends", () => {
    const world = garden({ "read-notes": () => [] });
    expect(walk(analysis, world, { folder: "violin" }).end).toEqual({ kind: "done" });
    expect(world.log).toEqual([
      'tool read-notes {"folder":"violin"}',
      'tool write-memory {"text":"Нових нотаток немає"}',
    ]);
  });

  test("an unbound name is requested, and the tool is still called", () => {
    const world = garden({ "read-notes": () => [] });
    walk(analysis, world);
    expect(world.log.slice(0, 2)).toEqual([
      'llm value {"ask":"folder","text":"нотатки ← read-notes(folder)","values":{}}',
      'tool read-notes {"folder":"значення folder"}',
    ]);
  });

  test("source 001 §6.2: memory decides which notes are done, and is written at the end", () => {
    const world = garden();
    const { end, journal } = walk(daily, world);
    expect(end).toEqual({ kind: "done" });
    expect(journal.map(({ kind }) => kind).join(" ")).toBe(
      "tool tool tool tool tool propose propose tool llm now tool",
    );
    expect(world.log.at(-1)).toBe(
      'tool write-memory {"оброблені":"значення оновлений_список","останній_run":1770000000000}',
    );
  });

  test("source 001 §6.2: the procedure runs with a memory that was never written", () => {
    const world = garden({ "read-memory": () => ({}) });
    expect(walk(daily, world).end).toEqual({ kind: "done" });
    expect(world.log.filter((line) => line.startsWith("propose"))).toHaveLength(4);
  });
});
