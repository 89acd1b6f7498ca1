/** A message has a map also if there are no headers. */
export const withHeaders = <T extends { headers: Record<string, string> }>({ headers, ...rest }: T) =>
  Object.keys(headers).length === 0 ? rest : { ...rest, headers };
