import { type Text, useSay } from "../words/say.ts";

export function Run() {
  const say = useSay();
  return <h1>{say(title)}</h1>;
}

const title: Text = { en: "Run", uk: "Запуск" };
