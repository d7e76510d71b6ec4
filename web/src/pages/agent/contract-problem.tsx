import type { AnswerOf } from "../../api/client.ts";
import { type Text, useT } from "../../i18n/use-t.ts";

export type ContractAnswer = AnswerOf<"GET /agents/:slug/contract">;

/** One problem of a contract: its line, what was found and what is expected (C-3). */
export function ContractProblem({ problem }: { readonly problem: ContractAnswer["problems"][number] }) {
  const t = useT();
  const { line, field, found, expected, suggestion } = problem;
  return (
    <p className="problem" role="note">
      <strong>{t(words.line, line)}</strong> {field !== "" && <code>{field}</code>} {t(found)};{" "}
      {suggestion === undefined ? t(words.expected, t(expected)) : t(words.meant, suggestion)}
    </p>
  );
}

const words = {
  line: { en: "Line {}:", uk: "Рядок {}:" },
  expected: { en: "expected {}", uk: "потрібно: {}" },
  meant: { en: "did you mean “{}”?", uk: "можливо, малося на увазі «{}»?" },
} as const satisfies Record<string, Text>;
