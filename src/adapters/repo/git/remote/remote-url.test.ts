import { describe, expect, test } from "vitest";
import { checkedRemote, withoutCredentials } from "./remote-url.ts";

describe("the URL of a remote", () => {
  test.each([
    "https://example.org/garden.git",
    "http://user:pass@example.org:8080/garden.git",
    "ssh://git@example.org/~/garden.git",
    "ssh://git@[::1]:22/garden.git",
    "git://example.org/garden.git",
    "file:///srv/garden.git",
    "git@example.org:me/garden.git",
    "example.org:garden.git",
    "[::1]:garden.git",
    "/srv/сад.git",
    "../сад з пробілом",
    "./a::b",
    "garden",
  ])("%s is allowed", (url) => {
    expect(checkedRemote({ name: "origin", url }).url).toBe(url);
  });

  test.each([
    "",
    " https://example.org/x",
    "-uhttps://example.org",
    "--upload-pack=touch /tmp/x",
    "ext::sh -c touch% /tmp/x",
    "fd::17",
    "EXT::sh",
    "hg::https://example.org",
    "http+x::y",
    "::x",
    "javascript://x",
    "ftp://example.org/x",
    "git+ssh://example.org/x",
    "ext://x",
    "ssh://-oProxyCommand=touch/x",
    "ssh://git@-oProxyCommand=touch/x",
    "git@-oProxyCommand=touch:x",
    "https://example.org/\nx",
    "https://example.org/\0x",
    "https://example.org/\u007f",
    `https://example.org/${"x".repeat(2000)}`,
    "https://example.org/\ud800",
  ])("%j is refused", (url) => {
    expect(() => checkedRemote({ name: "origin", url })).toThrow(
      expect.objectContaining({ code: "VALIDATION_FAILED" }),
    );
  });
});

test.each(["", "a b", "-x", "a/b", "..", "a..b", "x.lock", "a.", "ї", "a*", "x".repeat(64), "@{"])(
  "%j is not a name of a remote",
  (name) => {
    expect(() => checkedRemote({ name, url: "/srv/x" })).toThrow(
      expect.objectContaining({ code: "VALIDATION_FAILED" }),
    );
  },
);

test.each([
  ["https://olia:s3cret@example.org/x", "fatal: unable to access 'https://olia:s3cret@example.org/x/': 403"],
  ["https://ghp_token@example.org/x", "fatal: unable to access 'https://ghp_token@example.org/x/': 403"],
  [
    "https://olia:p%40ss%2Fword@example.org/x",
    "Authentication failed for https://olia:p%40ss%2Fword@example.org, p@ss/word",
  ],
  ["https://olia:s3@cret@example.org/x", "could not read from https://olia:s3@cret@example.org/x"],
])("the secret of %s is redacted", (url, said) => {
  const seen = withoutCredentials(said, { name: "origin", url });
  expect(seen).not.toMatch(/s3|cret|ghp_|p%40|p@ss/);
  expect(seen).toMatch(/example\.org/);
});

test.each([
  ["ssh://git@host.example/me/garden.git", "ssh://git@host.example/me/garden.git"],
  ["ssh://git:hunter22@host.example/garden.git", "ssh://git@host.example/garden.git"],
  ["git@host.example:me/garden.git", "git@host.example:me/garden.git"],
  ["https://me:hunter22@host.example/garden.git", "https://host.example/garden.git"],
  ["https://ghp_token@host.example/garden.git", "https://host.example/garden.git"],
  ["/srv/garden.git", "/srv/garden.git"],
])("the address %s is shown as %s", (url, shown) => {
  expect(withoutCredentials(url, { name: "remote", url })).toBe(shown);
});

test("the user of an ssh address is not taken out of what git says, its password is", () => {
  const seen = (url: string, said: string): string => withoutCredentials(said, { name: "origin", url });
  expect(seen("ssh://git@host.example/x", "fatal: not a git repository")).toBe("fatal: not a git repository");
  expect(seen("ssh://git:hunter22@host.example/x", "git: denied for hunter22")).toBe("git: denied for ***");
});
