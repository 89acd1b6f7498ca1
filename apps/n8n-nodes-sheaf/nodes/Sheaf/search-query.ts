export interface Condition {
  field: string;
  operator: 'is' | 'isNot' | 'gt' | 'gte' | 'lt' | 'lte' | 'answered' | 'unanswered';
  value: string;
}

export interface Filters {
  q?: string;
  conditions?: Condition[];
  status?: string[];
  from?: string;
  to?: string;
  sort?: string;
}

/** The query of a search for submissions, as in `GET /app/v1/forms/{id}/submissions`. */
export function searchQuery({ q, conditions = [], status = [], from, to, sort }: Filters): URLSearchParams {
  const query = new URLSearchParams();
  const set = (name: string, value: string | undefined): void => {
    if (value) query.set(name, value);
  };
  set('q', q?.trim());
  for (const value of status) query.append('status', value);
  set('from', withOffset(from));
  set('to', withOffset(to));
  set('sort', sort);
  for (const condition of conditions) query.append(...filter(condition));
  return query;
}

function filter({ field, operator, value }: Condition): [string, string] {
  switch (operator) {
    case 'is':
      return [`filter[${field}]`, value];
    case 'isNot':
      return [`filter[${field}][ne]`, value];
    case 'answered':
    case 'unanswered':
      return [`filter[${field}][answered]`, String(operator === 'answered')];
    default:
      return [`filter[${field}][${operator}]`, value];
  }
}

/** n8n's date picker leaves out the offset, which the API needs: such a time is in UTC. */
const withOffset = (time: string | undefined): string | undefined => (time !== undefined && /T[\d:.]+$/.test(time) ? `${time}Z` : time);
