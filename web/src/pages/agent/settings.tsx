import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { type AgentState, agentMoves } from "../../../../src/domain/contract/agent-state.ts";
import { type AnswerOf, ApiError, call } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { ActionDialog } from "../../components/action-dialog.tsx";
import { useDraft } from "../../components/draft.ts";
import { Button } from "../../components/form.tsx";
import { agentStateLabels } from "../../components/labels.ts";
import { Failed } from "../../components/query-result.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { AgentOutputs, AgentTokens } from "./agent-access.tsx";
import { checkTitles } from "./check-titles.ts";
import { DeleteAgent } from "./delete-agent.tsx";
import { OwnValues } from "./own-values.tsx";

type Report = AnswerOf<"GET /agents/:slug/contract">;
type Check = Report["checks"][number];

/** An agent's status with the ways to change it, and its activation checks (C-4, C-6). */
export function AgentSettings({ report }: { readonly report: Report }) {
  const t = useT();
  const [to, setTo] = useState<AgentState>();
  const { slug, status, checks, ready, contract } = report;
  // Only a run that failed sets `error`.
  const moves = status === undefined ? [] : agentMoves[status].filter((state) => state !== "error");
  return (
    <div className="stack">
      <section className="stack tight" aria-labelledby="state">
        <h2 id="state">{t(words.state)}</h2>
        {status === undefined ? (
          <p className="warning">{t(words.unknown)}</p>
        ) : (
          <>
            <p>{t(about[status])}</p>
            <p className="row">
              {moves.map((state) => (
                <Button
                  key={state}
                  tone={state === "archived" ? "danger" : state === "active" ? "primary" : ""}
                  onClick={() => setTo(state)}
                >
                  {t(verbs[state])}
                </Button>
              ))}
            </p>
          </>
        )}
      </section>
      <section className="stack tight" aria-labelledby="gate">
        <h2 id="gate">{t(words.gate)}</h2>
        <p className="quiet">{t(ready ? words.ready : words.notReady)}</p>
        <Checks checks={checks} />
      </section>
      {contract && <AgentOutputs slug={slug} allowed={(contract["safe_outputs"] ?? []) as readonly string[]} />}
      <OwnValues slug={slug} />
      <section className="stack tight" aria-labelledby="export">
        <h2 id="export">{t(words.export)}</h2>
        <p className="quiet">{t(words.exportAbout)}</p>
        <p>
          <a className="button" href={`/agents/${slug}/export`} download={`${slug}.agent.json`}>
            <Download size={15} aria-hidden="true" />
            {t(words.download)}
          </a>{" "}
          <a className="button" href={`/agents/${slug}/skill`} download>
            <Download size={15} aria-hidden="true" />
            {t(words.skill)}
          </a>
        </p>
      </section>
      <AgentTokens slug={slug} />
      {status === "archived" && <DeleteAgent slug={slug} />}
      {to !== undefined && <ChangeStatus key={to} slug={slug} to={to} onClose={() => setTo(undefined)} />}
    </div>
  );
}

function ChangeStatus({
  slug,
  to,
  onClose,
}: {
  readonly slug: string;
  readonly to: AgentState;
  readonly onClose: () => void;
}) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const [reason, setReason] = useDraft(`state.${slug}.${to}`);
  const change = useMutation({
    mutationFn: () =>
      call("PATCH /agents/:slug/status", {
        params: { slug },
        body: { status: to, ...(reason.trim() !== "" && { reason: reason.trim() }) },
      }),
    onSuccess: async ({ status }) => {
      setReason(undefined);
      toast(t(words.moved, t(agentStateLabels[status]!)));
      await invalidate(client, "/agents");
      onClose();
    },
    onError: () => void invalidate(client, "/agents"),
  });
  return (
    <ActionDialog
      title={t(words.sure, slug, t(agentStateLabels[to]!))}
      reason={{ label: t(words.reason), text: reason, onChange: setReason, isRequired: false }}
      action={{
        label: t(verbs[to]),
        tone: to === "archived" ? "danger" : "primary",
        isDisabled: change.isPending,
        onConfirm: () => change.mutate(),
      }}
      error={change.error && <ChangeError error={change.error} />}
      onClose={onClose}
    >
      <p>{t(about[to])}</p>
    </ActionDialog>
  );
}

function ChangeError({ error }: { readonly error: Error }) {
  const t = useT();
  const failed = failedChecks(error);
  if (failed.length === 0) return <Failed error={error} />;
  return (
    <div className="stack tight" role="alert">
      <p>
        <strong>{t(words.refused)}</strong>
      </p>
      <Checks checks={failed} />
    </div>
  );
}

/** The failed checks that the error names. */
const failedChecks = (error: Error): readonly Check[] =>
  error instanceof ApiError && Array.isArray(error.details["checks"])
    ? (error.details["checks"] as readonly Check[]).filter(({ result }) => result === "fail")
    : [];

function Checks({ checks }: { readonly checks: readonly Check[] }) {
  const t = useT();
  return (
    <div className="scroll-x">
      <table className="table lines">
        <tbody>
          {checks.map(({ id, result, words: found }) => (
            <tr key={id}>
              <td>
                <span className={`state ${tones[result]}`}>{t(results[result])}</span>
              </td>
              <th scope="row">{t(checkTitles[id])}</th>
              <td className="break">
                <span className="told">{t(found)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const tones = { pass: "good", warning: "wait", fail: "bad", skipped: "" } as const;

const results = {
  pass: { en: "passed", uk: "гаразд" },
  warning: { en: "warning", uk: "застереження" },
  fail: { en: "failed", uk: "не пройдено" },
  skipped: { en: "not checked", uk: "не перевірялося" },
} as const satisfies Record<Check["result"], Text>;

const verbs = {
  draft: { en: "Restore as a draft", uk: "Повернути як чернетку" },
  active: { en: "Activate", uk: "Активувати" },
  paused: { en: "Pause", uk: "Призупинити" },
  error: { en: "Mark as failed", uk: "Позначити помилковим" },
  archived: { en: "Archive", uk: "До архіву" },
} as const satisfies Record<AgentState, Text>;

const about = {
  draft: {
    en: "A draft does not run. To activate it, the checks below must pass.",
    uk: "Чернетка не запускається. Перед активацією вона проходить перевірки, що нижче.",
  },
  active: {
    en: "An active agent runs on request, on schedule and on its events.",
    uk: "Активний агент запускається на прохання, за розкладом і за подіями.",
  },
  paused: {
    en: "A paused agent starts no runs. Runs in progress finish.",
    uk: "Агент на паузі не починає запусків. Ті, що тривають, дійдуть кінця.",
  },
  error: {
    en: "A failed run stopped the agent. Fix the cause, then activate it again.",
    uk: "Запуск зламався так, що агента зупинено. Коли причину усунуто, його можна знову активувати.",
  },
  archived: {
    en: "An archived agent does not run; everything it did is kept. It can be restored as a draft.",
    uk: "Агент в архіві не запускається; усе, що він зробив, зберігається. Його можна повернути як чернетку.",
  },
} as const satisfies Record<AgentState, Text>;

const words = {
  export: { en: "Export", uk: "Експорт" },
  skill: { en: "As a skill folder", uk: "Текою навички" },
  exportAbout: {
    en: "One file with the contract, the diagrams and the sources, for another garden. Runs and memory stay here.",
    uk: "Один файл із контрактом, діаграмами й джерелами, для іншого саду. Запуски й пам’ять лишаються тут.",
  },
  download: { en: "Download the agent", uk: "Завантажити агента" },
  state: { en: "Status", uk: "Стан" },
  unknown: {
    en: "The status in the contract cannot be read. Fix the contract first.",
    uk: "З файла неможливо прочитати стан. Спершу виправте його.",
  },
  gate: { en: "Activation checks", uk: "Перевірки перед активацією" },
  ready: { en: "All passed", uk: "Усі пройдено" },
  notReady: { en: "The agent cannot be activated until every check passes.", uk: "Непройдене тут не дає активувати." },
  sure: { en: "{}: {}?", uk: "{}: {}?" },
  reason: { en: "Reason (optional; it is recorded)", uk: "Чому (можна не писати; лишається в журналі)" },
  refused: { en: "Checks failed:", uk: "Перевірки не пройдено:" },
  moved: { en: "Status: {}", uk: "Тепер: {}." },
} as const satisfies Record<string, Text>;
