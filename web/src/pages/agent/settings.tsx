import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type AgentState, agentMoves } from "../../../../src/domain/contract/agent-state.ts";
import { type AnswerOf, call, Refusal } from "../../api/client.ts";
import { outdate } from "../../api/queries.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { useDraft } from "../../parts/draft.ts";
import { useTell } from "../../parts/notices.tsx";
import { Failed } from "../../parts/state.tsx";
import { agentStateWords } from "../../parts/words.ts";
import { type Text, useSay } from "../../words/say.ts";

type Report = AnswerOf<"GET /agents/:slug/contract">;
type Check = Report["checks"][number];

/** The owner's hand on an agent: its state, and what the gate of activation says about it (C-4, C-6). */
export function AgentSettings({ report }: { readonly report: Report }) {
  const say = useSay();
  const [to, setTo] = useState<AgentState>();
  const { slug, status, checks, ready } = report;
  // Only a run that failed sets `error`.
  const moves = status === undefined ? [] : agentMoves[status].filter((state) => state !== "error");
  return (
    <div className="stack">
      <section className="stack tight" aria-labelledby="state">
        <h2 id="state">{say(words.state)}</h2>
        {status === undefined ? (
          <p className="warning">{say(words.unknown)}</p>
        ) : (
          <>
            <p>{say(about[status])}</p>
            <p className="row">
              {moves.map((state) => (
                <button
                  key={state}
                  type="button"
                  className={`button ${state === "archived" ? "danger" : state === "active" ? "primary" : ""}`}
                  onClick={() => setTo(state)}
                >
                  {say(verbs[state])}
                </button>
              ))}
            </p>
          </>
        )}
      </section>
      <section className="stack tight" aria-labelledby="gate">
        <h2 id="gate">{say(words.gate)}</h2>
        <p className="quiet">{say(ready ? words.ready : words.notReady)}</p>
        <Checks checks={checks} />
      </section>
      {to !== undefined && <Move key={to} slug={slug} to={to} onClose={() => setTo(undefined)} />}
    </div>
  );
}

function Move({ slug, to, onClose }: { readonly slug: string; readonly to: AgentState; readonly onClose: () => void }) {
  const say = useSay();
  const tell = useTell();
  const client = useQueryClient();
  const [reason, setReason] = useDraft(`state.${slug}.${to}`);
  const move = useMutation({
    mutationFn: () =>
      call("PATCH /agents/:slug/status", {
        params: { slug },
        body: { status: to, ...(reason.trim() !== "" && { reason: reason.trim() }) },
      }),
    onSuccess: async ({ status }) => {
      setReason(undefined);
      tell(say(words.moved, say(agentStateWords[status]!)));
      await outdate(client, "/agents");
      onClose();
    },
    onError: () => void outdate(client, "/agents"),
  });
  const rows = refusedRows(move.error);
  return (
    <Dialog title={say(words.sure, slug, say(agentStateWords[to]!))} onClose={onClose}>
      <p>{say(about[to])}</p>
      <label className="labelled">
        <span>{say(words.reason)}</span>
        <textarea
          className="field"
          rows={2}
          maxLength={2000}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
      </label>
      {move.error &&
        (rows.length === 0 ? (
          <Failed error={move.error} />
        ) : (
          <div className="stack tight" role="alert">
            <p>
              <strong>{say(words.refused)}</strong>
            </p>
            <Checks checks={rows} />
          </div>
        ))}
      <div className="row">
        <button
          type="button"
          className={`button ${to === "archived" ? "danger" : "primary"}`}
          disabled={move.isPending}
          onClick={() => move.mutate()}
        >
          {say(verbs[to])}
        </button>
        <button type="button" className="button" onClick={onClose}>
          {say(words.back)}
        </button>
      </div>
    </Dialog>
  );
}

/** The rows of the gate that stand in the way, as the refusal names them. */
const refusedRows = (error: Error | null): readonly Check[] =>
  error instanceof Refusal && Array.isArray(error.details["checks"])
    ? (error.details["checks"] as readonly Check[]).filter(({ result }) => result === "fail")
    : [];

function Checks({ checks }: { readonly checks: readonly Check[] }) {
  const say = useSay();
  return (
    <div className="scroll-x">
      <table className="table lines">
        <tbody>
          {checks.map(({ id, title, result, words: found }) => (
            <tr key={id}>
              <td>
                <span className={`tag ${tones[result]}`}>{say(results[result])}</span>
              </td>
              <th scope="row">{say(title)}</th>
              <td className="break">
                <span className="told">{say(found)}</span>
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
  pass: { en: "passes", uk: "гаразд" },
  warning: { en: "warning", uk: "застереження" },
  fail: { en: "fails", uk: "не пройдено" },
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
    en: "A draft does not run. Activating it passes the gate below first.",
    uk: "Чернетка не запускається. Перед активацією вона проходить перевірки, що нижче.",
  },
  active: {
    en: "An active agent runs when it is asked, by its clock and on its events.",
    uk: "Активний агент запускається на прохання, за розкладом і за подіями.",
  },
  paused: {
    en: "A paused agent begins no run. Runs that go on come to their end.",
    uk: "Агент на паузі не починає запусків. Ті, що тривають, дійдуть кінця.",
  },
  error: {
    en: "A run failed in a way that stopped the agent. Once the cause is mended, it can be activated again.",
    uk: "Запуск зламався так, що агента зупинено. Коли причину усунуто, його можна знову активувати.",
  },
  archived: {
    en: "An archived agent does not run and is kept with all that it did. It can come back as a draft.",
    uk: "Агент в архіві не запускається; усе, що він зробив, зберігається. Його можна повернути як чернетку.",
  },
} as const satisfies Record<AgentState, Text>;

const words = {
  state: { en: "State", uk: "Стан" },
  unknown: {
    en: "The file does not say its state in a way that can be read. Mend it first.",
    uk: "З файла неможливо прочитати стан. Спершу виправте його.",
  },
  gate: { en: "The gate of activation", uk: "Перевірки перед активацією" },
  ready: { en: "Nothing stands in the way.", uk: "Ніщо не заважає." },
  notReady: { en: "What fails here stands in the way of activation.", uk: "Непройдене тут не дає активувати." },
  sure: { en: "{}: {}?", uk: "{}: {}?" },
  reason: { en: "Why (may be empty; it stays on record)", uk: "Чому (можна не писати; лишається в журналі)" },
  refused: { en: "The gate does not let it through:", uk: "Перевірки не пройдено:" },
  moved: { en: "Now: {}.", uk: "Тепер: {}." },
  back: { en: "Back", uk: "Назад" },
} as const satisfies Record<string, Text>;
