import { type UseQueryResult, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type AnswerOf, call } from "../../api/client.ts";
import { invalidate, query } from "../../api/queries.ts";
import { Button, Form } from "../../components/form.tsx";
import { Empty, QueryResult } from "../../components/query-result.tsx";
import { useToast } from "../../components/toasts.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { AddForm, RowError, SettingRow, SettingsSection } from "./section.tsx";

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
  readonly row: (
    item: ItemOf<L>,
    index: number,
  ) => {
    readonly name: ReactNode;
    readonly about?: ReactNode;
    readonly value?: ReactNode;
    readonly action?: ReactNode;
  };
  /** The item in the form, or undefined while the form is incomplete. */
  readonly newItem: ItemOf<L> | undefined;
  readonly onAdded: () => void;
  /** Opens the form, for an item that was filled in elsewhere. */
  readonly isFormOpen?: boolean;
  /** After the list, before the form. */
  readonly after?: ReactNode;
  /** The fields of the form. */
  readonly children: ReactNode;
}) {
  const { list, labels, keyOf, row, newItem, onAdded, isFormOpen = false, after, children } = props;
  const t = useT();
  const { read, save } = useSettingsList(list);
  return (
    <SettingsSection id={list} title={t(labels.title)} about={labels.about && t(labels.about)}>
      <QueryResult of={read}>
        {({ items }) => (
          <>
            {items.length === 0 && <Empty>{t(labels.none)}</Empty>}
            {items.map((item, index) => {
              const { name, about, value, action } = row(item, index);
              return (
                <SettingRow
                  key={keyOf(item)}
                  name={name}
                  about={about}
                  action={
                    <>
                      {action}
                      <Button
                        tone="ghost danger small"
                        disabled={save.isPending}
                        onClick={() => save.mutate({ items: items.filter((each) => each !== item), before: items })}
                      >
                        {t(words.remove)}
                      </Button>
                    </>
                  }
                >
                  {value}
                </SettingRow>
              );
            })}
            {after}
            <AddForm label={t(labels.add)} isOpen={isFormOpen}>
              <Form
                className="stack tight"
                onSubmit={() => {
                  if (newItem) save.mutate({ items: [...items, newItem], before: items }, { onSuccess: onAdded });
                }}
              >
                {children}
                <div>
                  <button type="submit" className="button" disabled={!newItem || save.isPending}>
                    {t(labels.addIt)}
                  </button>
                </div>
              </Form>
            </AddForm>
            {save.error && <RowError error={save.error} />}
          </>
        )}
      </QueryResult>
    </SettingsSection>
  );
}

const UNDO_MS = 8000;

interface ListChange<L extends ListName> {
  readonly items: readonly ItemOf<L>[];
  /** The list before, for Undo. */
  readonly before: readonly ItemOf<L>[];
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
    mutationFn: ({ items }: ListChange<L>) =>
      call(`PUT /settings/${list}`, { body: { base: read.data?.base ?? "", items } } as never),
    onSuccess: (_, { items, before }) =>
      toast(t(words.saved), { undo: () => save.mutate({ items: before, before: items }), forMs: UNDO_MS }),
    onSettled: () => invalidate(client, "/settings", "/notify"),
  });
  return { read, save };
}

const words = {
  remove: { en: "Remove", uk: "Вилучити" },
  saved: { en: "Saved as a commit by you.", uk: "Збережено вашим комітом." },
} as const satisfies Record<string, Text>;
