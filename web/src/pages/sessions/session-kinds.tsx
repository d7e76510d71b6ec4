import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { isSlug } from "../../../../src/domain/contract/slug.ts";
import { COMMIT_KIND } from "../../../../src/domain/session/kinds.ts";
import { call } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { Form, TextField } from "../../components/form.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { AddForm, RowError } from "../settings/section.tsx";

/** S-1: the kinds of commits and objects, each with the kind above it, and a form for a new one. */
export function SessionKinds() {
  const t = useT();
  const [isOpen, setIsOpen] = useState(false);
  const read = useQuery({ ...query("GET /session-kinds", {}), enabled: isOpen });
  return (
    <details onToggle={({ currentTarget, target }) => target === currentTarget && setIsOpen(currentTarget.open)}>
      <summary>{t(words.title)}</summary>
      {isOpen && (
        <QueryResult of={read}>
          {({ kinds }) => (
            <div className="stack tight session-kinds">
              <ul className="plain-list kind-list" aria-label={t(words.title)}>
                {kinds.map(({ name, parent }) => (
                  <li key={name}>
                    <code>{name}</code> {parent !== null && <span className="meta">{t(words.below, parent)}</span>}
                  </li>
                ))}
              </ul>
              <NewKind names={kinds.map(({ name }) => name)} />
            </div>
          )}
        </QueryResult>
      )}
    </details>
  );
}

function NewKind({ names }: { readonly names: readonly string[] }) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [parent, setParent] = useState(COMMIT_KIND);
  const register = useMutation({
    mutationFn: () => call("POST /session-kinds", { body: { name, parent } }),
    onSuccess: () => {
      toast(t(words.done, name));
      setName("");
      return invalidate(client, "/session-kinds");
    },
  });
  const isComplete = isSlug(name) && !names.includes(name);
  return (
    <AddForm label={t(words.new)}>
      <Form className="stack tight" onSubmit={() => isComplete && register.mutate()}>
        <TextField label={t(words.name)} value={name} onText={(text) => setName(text.trim())} maxLength={63} />
        <label className="labelled">
          <span>{t(words.parent)}</span>
          <select className="field" value={parent} onChange={({ target }) => setParent(target.value)}>
            {names.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <p className="meta">{t(names.includes(name) ? words.taken : words.rule)}</p>
        <div>
          <button type="submit" className="button" disabled={!isComplete || register.isPending}>
            {t(words.register)}
          </button>
        </div>
      </Form>
      {register.error && <RowError error={register.error} />}
    </AddForm>
  );
}

const words = {
  title: { en: "Kinds of commits and objects", uk: "Види комітів та об’єктів" },
  below: { en: "is a {}", uk: "різновид {}" },
  new: { en: "New kind", uk: "Новий вид" },
  name: { en: "Name of the kind", uk: "Назва виду" },
  parent: { en: "Kind above it", uk: "Вид над ним" },
  rule: {
    en: "Small Latin letters, digits and hyphens. A kind stays for good and cannot be changed.",
    uk: "Малі латинські літери, цифри й дефіси. Вид лишається назавжди, змінити його не можна.",
  },
  taken: { en: "This name is taken.", uk: "Ця назва зайнята." },
  register: { en: "Register", uk: "Зареєструвати" },
  done: { en: "The kind {} is registered.", uk: "Вид {} зареєстровано." },
} as const satisfies Record<string, Text>;
