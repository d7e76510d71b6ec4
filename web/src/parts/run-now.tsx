import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../api/client.ts";
import type { Json } from "../api/endpoints.gen.ts";
import { useOneWish } from "../api/one-wish.ts";
import { type Text, useSay } from "../words/say.ts";
import { Dialog } from "./dialog.tsx";
import { useDraft } from "./draft.ts";
import { NotDone } from "./not-done.tsx";

interface Field {
  readonly id: number;
  readonly name: string;
  readonly value: string;
}

/** Asks for a run, with inputs if the agent wants some, and goes to watch it. */
export function RunNow({ slug, status }: { readonly slug: string; readonly status: string }) {
  const say = useSay();
  const navigate = useNavigate();
  const [kept, keep] = useDraft(`run.${slug}`, "[]");
  const fields = fieldsIn(kept);
  const setFields = (now: readonly Field[]): void => keep(JSON.stringify(now));
  const [asks, setAsks] = useState(false);
  const { wishName, answered } = useOneWish();
  const run = useMutation({
    mutationFn: (given: readonly Field[]) => {
      const named = given.filter(({ name }) => name.trim() !== "");
      const input = Object.fromEntries(named.map(({ name, value }) => [name.trim(), typed(value)]));
      const body = named.length === 0 ? {} : { input };
      return call("POST /agents/:slug/run", { params: { slug }, body, correlation: wishName(body) });
    },
    onSuccess: ({ run: { run_id } }, given) => {
      answered();
      if (given.length > 0) keep(undefined);
      return navigate({ to: "/runs/$run", params: { run: run_id } });
    },
  });
  if (status !== "active") return <p className="quiet small">{say(words.inactive)}</p>;
  const change = (id: number, more: Partial<Field>): void =>
    setFields(fields.map((field) => (field.id === id ? { ...field, ...more } : field)));
  return (
    <div className="row">
      <button type="button" className="button" disabled={run.isPending} onClick={() => run.mutate([])}>
        {say(words.run)}
      </button>
      <button type="button" className="button quiet" onClick={() => setAsks(true)}>
        {say(words.withInput)}
      </button>
      {run.error && !asks && <NotDone error={run.error} fate="repeat" />}
      {asks && (
        <Dialog title={say(words.title, slug)} onClose={() => setAsks(false)}>
          {fields.map(({ id, name, value }) => (
            <div key={id} className="two">
              <label className="labelled">
                <span>{say(words.name)}</span>
                <input className="field" value={name} onChange={({ target }) => change(id, { name: target.value })} />
              </label>
              <label className="labelled">
                <span>{say(words.value)}</span>
                <input className="field" value={value} onChange={({ target }) => change(id, { value: target.value })} />
              </label>
            </div>
          ))}
          <p>
            <button
              type="button"
              className="button quiet"
              onClick={() => setFields([...fields, { id: fields.length, name: "", value: "" }])}
            >
              {say(words.another)}
            </button>
          </p>
          {run.error && <NotDone error={run.error} fate="repeat" />}
          <div className="row">
            <button
              type="button"
              className="button primary"
              disabled={run.isPending}
              onClick={() => run.mutate(fields)}
            >
              {say(words.run)}
            </button>
            <button type="button" className="button" onClick={() => setAsks(false)}>
              {say(words.back)}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}

/** What was typed before, or one empty field. */
function fieldsIn(kept: string): readonly Field[] {
  const fields = typed(kept);
  return Array.isArray(fields) && fields.length > 0 ? fields : [{ id: 0, name: "", value: "" }];
}

/** As JSON where it is that, else as the text that was typed. */
export function typed(value: string): Json {
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

const words = {
  run: { en: "Run now", uk: "Запустити" },
  withInput: { en: "with input …", uk: "із вхідними даними …" },
  title: { en: "Run {} with input", uk: "Запустити {} із вхідними даними" },
  name: { en: "Name", uk: "Назва" },
  value: { en: "Value", uk: "Значення" },
  another: { en: "Another one", uk: "Ще одне" },
  inactive: { en: "Only an active agent runs.", uk: "Запускається лише активний агент." },
  back: { en: "Back", uk: "Назад" },
} as const satisfies Record<string, Text>;
