import { type UseQueryResult, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type AnswerOf, call } from "../api/client.ts";
import { invalidate, query } from "../api/queries.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { Button, Form } from "./form.tsx";
import { Empty, Failed, QueryResult } from "./query-result.tsx";
import { useToast } from "./toasts.tsx";

type ListName = "rules" | "zones" | "webhooks" | "notify";
type ItemOf<L extends ListName> = AnswerOf<`GET /settings/${L}`>["items"][number];

/** A list of `garden.yaml` with a form that adds to it. Each change is a commit by the owner. */
export function SettingsList<L extends ListName>(props: {
  readonly list: L;
  readonly labels: {
    readonly title: Text;
    readonly about?: Text;
    readonly none: Text;
    readonly add: Text;
    readonly addIt: Text;
  };
  readonly keyOf: (item: ItemOf<L>) => string;
  readonly row: (item: ItemOf<L>) => ReactNode;
  /** The item in the form, or undefined while the form is incomplete. */
  readonly newItem: ItemOf<L> | undefined;
  readonly onAdded: () => void;
  /** The fields of the form. */
  readonly children: ReactNode;
}) {
  const { list, labels, keyOf, row, newItem, onAdded, children } = props;
  const t = useT();
  const { read, save } = useSettingsList(list);
  return (
    <section className="card stack tight" aria-labelledby={list}>
      <h2 id={list}>{t(labels.title)}</h2>
      {labels.about && <p className="quiet">{t(labels.about)}</p>}
      <QueryResult of={read}>
        {({ items }) => (
          <>
            {items.length === 0 && <Empty>{t(labels.none)}</Empty>}
            <ul className="stack tight">
              {items.map((item) => (
                <li key={keyOf(item)} className="row between">
                  <span>{row(item)}</span>
                  <Button
                    tone="danger"
                    disabled={save.isPending}
                    onClick={() => save.mutate(items.filter((each) => each !== item))}
                  >
                    {t(words.remove)}
                  </Button>
                </li>
              ))}
            </ul>
            <Form
              className="stack tight"
              onSubmit={() => {
                if (newItem) save.mutate([...items, newItem], { onSuccess: onAdded });
              }}
            >
              <h3>{t(labels.add)}</h3>
              {children}
              <p>
                <button type="submit" className="button" disabled={!newItem || save.isPending}>
                  {t(labels.addIt)}
                </button>
              </p>
            </Form>
            {save.error && <Failed error={save.error} />}
          </>
        )}
      </QueryResult>
    </section>
  );
}

/** Reads and saves a list. A save names the version that was read, so that it fails instead of undoing an edit by hand. */
function useSettingsList<L extends ListName>(list: L) {
  const t = useT();
  const toast = useToast();
  const client = useQueryClient();
  // The compiler cannot relate `list` to its endpoint, so the type is stated here.
  const read = useQuery(query(`GET /settings/${list}`, {} as never)) as UseQueryResult<{
    readonly base: string;
    readonly items: readonly ItemOf<L>[];
  }>;
  const save = useMutation({
    mutationFn: (items: readonly ItemOf<L>[]) =>
      call(`PUT /settings/${list}`, { body: { base: read.data?.base ?? "", items } } as never),
    onSuccess: () => toast(t(words.saved)),
    onSettled: () => invalidate(client, "/settings"),
  });
  return { read, save };
}

const words = {
  remove: { en: "Remove", uk: "Вилучити" },
  saved: { en: "Saved as a commit by you.", uk: "Збережено вашим комітом." },
} as const satisfies Record<string, Text>;
