import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { CapabilityTrigger } from "../../../../src/domain/federation/capability.ts";
import { builtInKinds, COMMIT_KIND, isCommitKind, isKindId, isKindName } from "../../../../src/domain/session/kinds.ts";
import { type AnswerOf, call } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { Button, Form, TextField } from "../../components/form.tsx";
import { Empty } from "../../components/query-result.tsx";
import { When } from "../../components/tags.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { AddForm, RowError, SettingRow, SettingsSection } from "../settings/section.tsx";
import type { ListedGarden } from "./followed.tsx";

type ListedGrant = AnswerOf<"GET /federation">["grants"][number];
interface GrantProps {
  readonly gardens: readonly ListedGarden[];
  readonly grants: readonly ListedGrant[];
}

/** The grants to other gardens. Without a grant nothing of theirs is accepted. */
export function GrantSection({ gardens, grants }: GrantProps) {
  const t = useT();
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: (id: string) => call("DELETE /federation/grants/:id", { params: { id } }),
    onSettled: () => invalidate(client, "/federation"),
  });
  return (
    <SettingsSection id="grants" title={t(words.title)} about={t(words.about)}>
      {grants.length === 0 && <Empty>{t(words.none)}</Empty>}
      {grants.map(({ id, peer, agenticType, trigger, notAfter }) => (
        <SettingRow
          key={id}
          name={peer}
          about={<code>{id.slice(0, 10)}</code>}
          action={
            <Button
              tone="ghost danger small"
              aria-label={`${t(words.revoke)}: ${peer} ${trigger} ${agenticType}`}
              disabled={revoke.isPending}
              onClick={() => revoke.mutate(id)}
            >
              {t(words.revoke)}
            </Button>
          }
        >
          {t(triggerNames[trigger])} · <code>{agenticType}</code>
          {notAfter !== undefined && (
            <span className="meta">
              {" "}
              · {t(words.until)} <When at={notAfter} />
            </span>
          )}
        </SettingRow>
      ))}
      {revoke.error && <RowError error={revoke.error} />}
      {gardens.length > 0 && <GrantForm gardens={gardens} />}
    </SettingsSection>
  );
}

/** A kind of this garden, one of another garden's (`alice/leak`), or any by its federated id. */
const isGrantable = (kind: string): boolean => isKindId(kind) || isKindName(kind.replace(/^[a-z0-9-]+\//, ""));

/** Kinds that other gardens can send. Kinds of one's own are typed in. */
const KINDS = [...builtInKinds.keys()].filter((kind) => isCommitKind(builtInKinds, kind) || kind === "console-trace");

function GrantForm({ gardens }: Pick<GrantProps, "gardens">) {
  const t = useT();
  const client = useQueryClient();
  const [chosen, setChosen] = useState("");
  const [agenticType, setKind] = useState<string>(COMMIT_KIND);
  const [trigger, setTrigger] = useState<CapabilityTrigger>("spawn");
  const [until, setUntil] = useState("");
  const peer = gardens.some(({ name }) => name === chosen) ? chosen : gardens[0]!.name;
  const grant = useMutation({
    mutationFn: () =>
      call("POST /federation/grants", {
        // The day named is the last one on which the grant holds, in the time zone of the browser.
        body: { peer, agenticType, trigger, ...(until !== "" && { notAfter: endOfDay(until) }) },
      }),
    onSuccess: () => invalidate(client, "/federation"),
  });
  return (
    <>
      <AddForm label={t(words.add)}>
        <Form className="stack tight" onSubmit={() => grant.mutate()}>
          <div className="grant-fields">
            <label className="labelled">
              <span>{t(words.garden)}</span>
              <select className="field" value={peer} onChange={({ target }) => setChosen(target.value)}>
                {gardens.map(({ name }) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
            <label className="labelled">
              <span>{t(words.act)}</span>
              <select
                className="field"
                value={trigger}
                onChange={({ target }) => setTrigger(target.value as CapabilityTrigger)}
              >
                {TRIGGERS.map((each) => (
                  <option key={each} value={each}>
                    {t(triggerNames[each])}
                  </option>
                ))}
              </select>
            </label>
            <TextField
              label={t(words.kind)}
              list="grant-kinds"
              value={agenticType}
              onText={(text) => setKind(text.trim())}
              maxLength={127}
            />
            <datalist id="grant-kinds">
              {KINDS.map((kind) => (
                <option key={kind} value={kind} />
              ))}
            </datalist>
            <TextField label={t(words.lastDay)} type="date" value={until} onText={setUntil} />
          </div>
          <p className="meta">{t(words.rule)}</p>
          <div>
            <button type="submit" className="button" disabled={!isGrantable(agenticType) || grant.isPending}>
              {t(words.allow)}
            </button>
          </div>
        </Form>
      </AddForm>
      {grant.error && <RowError error={grant.error} />}
    </>
  );
}

const endOfDay = (day: string): string => new Date(`${day}T23:59:59`).toISOString();

const triggerNames: Readonly<Record<CapabilityTrigger, Text>> = {
  spawn: { en: "bring a new session", uk: "приносити нову сесію" },
  "head-move": { en: "continue a session", uk: "продовжувати сесію" },
  notes: { en: "bring traces", uk: "приносити сліди" },
  merge: { en: "propose a merge", uk: "пропонувати злиття" },
};

const TRIGGERS = Object.keys(triggerNames) as CapabilityTrigger[];

const words = {
  title: { en: "What they may do here", uk: "Що їм тут дозволено" },
  about: { en: "Without a grant, nothing.", uk: "Без дозволу — нічого." },
  none: { en: "No grants: other gardens may do nothing here.", uk: "Дозволів немає: інші сади нічого тут не можуть." },
  revoke: { en: "Take back", uk: "Відкликати" },
  until: { en: "until", uk: "до" },
  add: { en: "Add a grant", uk: "Додати дозвіл" },
  garden: { en: "Garden", uk: "Сад" },
  act: { en: "May", uk: "Може" },
  kind: { en: "Kind of commits", uk: "Вид комітів" },
  lastDay: { en: "Last day (optional)", uk: "Останній день (не обов’язково)" },
  allow: { en: "Allow", uk: "Дозволити" },
  rule: {
    en: "A grant covers the kinds below its kind too: agent-commit covers every commit of a session.",
    uk: "Дозвіл охоплює й підпорядковані види: agent-commit охоплює кожен коміт сесії.",
  },
} as const satisfies Record<string, Text>;
