import { Problem } from '@sheaf/kernel';
import type { Answers } from './answers';

/** @throws Problem `bad_request` unless the bytes are a JSON object */
export function parseAnswers(data: Buffer): Answers {
  const parsed = parseJson(data);
  if (!isObject(parsed)) throw Problem.badRequest('data: must be an object');
  return parsed;
}

function parseJson(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString());
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Answers => typeof value === 'object' && value !== null && !Array.isArray(value);
