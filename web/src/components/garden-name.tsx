import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronsUpDown } from "lucide-react";
import { query } from "../api/queries.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { Flower } from "./flower.tsx";
import { GardenList } from "./garden-list.tsx";
import { Menu } from "./menu.tsx";
import { useGardens } from "./use-gardens.ts";

/** The garden and its flower, which grows from its first commit. Switches between gardens where several are known, else leads to Today. */
export function GardenName() {
  const t = useT();
  const garden = useQuery({ ...query("GET /me", {}), staleTime: Number.POSITIVE_INFINITY }).data?.garden;
  const others = useGardens().filter(({ here }) => !here);
  const face = (
    <>
      <span className="garden-flower">{garden && <Flower of={garden.first_commit} size={26} />}</span>
      {garden && <b>{garden.name}</b>}
    </>
  );
  if (others.length === 0)
    return (
      <Link to="/" className="garden" title={garden?.name} {...(!garden && { "aria-label": "Garden Bloom" })}>
        {face}
      </Link>
    );
  return (
    <Menu
      name={t(words.change)}
      className="garden"
      button={
        <>
          {face}
          <ChevronsUpDown className="garden-more" size={14} aria-hidden="true" />
        </>
      }
    >
      {(close) => <GardenList close={close} />}
    </Menu>
  );
}

const words = {
  change: { en: "Switch garden", uk: "Перейти до іншого саду" },
} as const satisfies Record<string, Text>;
