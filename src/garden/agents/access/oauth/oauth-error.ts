/** The codes of RFC 6749, 7591 and 8707 that this server answers with. */
export type OauthCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_target"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "access_denied"
  | "invalid_redirect_uri"
  | "invalid_client_metadata";

/** A refusal in the terms of OAuth: programs act upon the code, their developers read the description. */
export interface OauthRefusal {
  readonly kind: "refused";
  readonly code: OauthCode;
  readonly about: string;
}

export const oauthRefusal = (code: OauthCode, about: string): OauthRefusal => ({ kind: "refused", code, about });
