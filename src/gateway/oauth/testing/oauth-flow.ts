import { createHash } from "node:crypto";
import { type TestGateway, testGateway } from "../../testing/test-gateway.ts";

export const REDIRECT = "http://127.0.0.1:7777/callback";
export const VERIFIER = "a-verifier-of-at-least-forty-three-characters-000";
const challenge = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url");

export interface OauthFlow extends TestGateway {
  readonly client: string;
  /** The page of the owner for these parameters. */
  readonly page: (more?: Fields) => Promise<Response>;
  /** The owner's answer by the form of the page; the address to which the browser goes. */
  readonly answer: (more?: Fields) => Promise<{ readonly text: string; readonly address: URL | undefined }>;
  /** A code that the owner gave the program. */
  readonly code: (more?: Fields) => Promise<string>;
  readonly exchange: (form: Fields) => Promise<{ readonly status: number; readonly body: Record<string, string> }>;
  readonly tokens: () => Promise<{ readonly access: string; readonly refresh: string }>;
  readonly refresh: (refresh: string, client?: string) => ReturnType<OauthFlow["exchange"]>;
}

/** Undefined leaves a field out. */
type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

function encodedForm(fields: Fields): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) for (const each of [value ?? []].flat()) form.append(name, each);
  return form.toString();
}

export async function registered(
  { ask }: Pick<TestGateway, "ask">,
  redirects: readonly string[] = [REDIRECT],
  name = "Some Program",
): Promise<{ readonly status: number; readonly body: Record<string, string> }> {
  const answer = await ask("none", "POST", "/oauth/register", {
    body: { client_name: name, redirect_uris: redirects },
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, string> };
}

/** A gateway with a registered program, and each step of the way as a function. */
export async function oauthFlow(): Promise<OauthFlow> {
  const gateway = await testGateway();
  const client = (await registered(gateway)).body["client_id"]!;
  const asked: Fields = {
    response_type: "code",
    client_id: client,
    redirect_uri: REDIRECT,
    code_challenge: challenge(VERIFIER),
    code_challenge_method: "S256",
    state: "s1",
  };
  const consent: Fields = { decision: "connect", confirmed: "yes", agent: "some-program", action: ["propose-edit"] };
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const answer: OauthFlow["answer"] = async (more = {}) => {
    const raw = encodedForm({ ...asked, ...consent, ...more });
    const text = await (await gateway.ask("cookie", "POST", "/oauth/authorize", { raw, headers: form })).text();
    const address = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
    return { text, address: address === undefined ? undefined : new URL(address) };
  };
  const exchange: OauthFlow["exchange"] = async (fields) => {
    const sent = await gateway.ask("none", "POST", "/oauth/token", { raw: encodedForm(fields), headers: form });
    return { status: sent.status, body: (await sent.json()) as Record<string, string> };
  };
  const code: OauthFlow["code"] = async (more) => (await answer(more)).address!.searchParams.get("code")!;
  return {
    ...gateway,
    client,
    page: (more = {}) => gateway.ask("cookie", "GET", `/oauth/authorize?${encodedForm({ ...asked, ...more })}`),
    answer,
    code,
    exchange,
    async tokens() {
      const { body } = await exchange(proof(await code(), client));
      return { access: body["access_token"]!, refresh: body["refresh_token"]! };
    },
    refresh: (refresh, by = client) => exchange({ grant_type: "refresh_token", client_id: by, refresh_token: refresh }),
  };
}

/** The request with which a program exchanges its code. */
export const proof = (code: string, client: string, more: Fields = {}): Fields => ({
  grant_type: "authorization_code",
  code,
  client_id: client,
  redirect_uri: REDIRECT,
  code_verifier: VERIFIER,
  ...more,
});
