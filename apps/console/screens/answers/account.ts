import type { Answers } from '../support/recorded-server';
import { ada, idOf, listOf, then } from './people';

export const me = (more: object = {}) => ({ ...ada, avatar_url: '', has_password: true, ...more });
export const session = (number: number, current = false) => ({
  id: idOf(12, number),
  created_at: then,
  last_used_at: then,
  expires_at: '2099-01-01T00:00:00.000Z',
  ends_unused_at: '2098-01-01T00:00:00.000Z',
  current,
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36',
  address: '192.0.2.1',
});
export const sessions = (...all: object[]) => ({ data: all, total: all.length, limit: 25, offset: 0 });
export const list = 'GET /app/v1/sessions';
export const keys = 'GET /app/v1/api-keys';
export const account: Answers = { 'GET /app/v1/me': me(), [list]: sessions(session(1, true), session(2), session(3)), [keys]: listOf([]) };
export const at = (section: string) => `/console/account/${section}`;
