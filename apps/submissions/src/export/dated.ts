import { dateTimeShape, readDateTime } from '@sheaf/contracts';
import type { DatedLook } from '@sheaf/workbook';
import { IANAZone } from 'luxon';

/** A date or time as a spreadsheet has it: a number of days without a time zone, and the same as text. */
export class Dated {
  constructor(
    readonly text: string,
    readonly serial: number,
    readonly look: DatedLook,
  ) {}
}

const dayMs = 86_400_000;
/** Day 0. */
const epoch = Date.UTC(1899, 11, 30);
/** Programs disagree about the days before, because Excel takes 1900 for a leap year. */
const firstDay = Date.UTC(1900, 2, 1);

/** A time zone whose offsets are looked up once for each quarter of an hour: they change at no other time, and rows follow each other. */
export class Zone {
  readonly name: string;
  private readonly zone: IANAZone;
  private quarter = Number.NaN;
  private offsetMs = 0;

  /** UTC for a form that has none. */
  constructor(name: string | undefined) {
    const zone = IANAZone.create(name ?? 'UTC');
    this.zone = zone.isValid ? zone : IANAZone.create('UTC');
    this.name = this.zone.name;
  }

  /** The time on the wall at a moment, as if it were UTC. */
  wallTime(at: number): number {
    const quarter = Math.floor(at / 900_000);
    if (quarter !== this.quarter) {
      this.quarter = quarter;
      this.offsetMs = this.zone.offset(at) * 60_000;
    }
    return at + this.offsetMs;
  }
}

/** The moment in this zone, to the second. */
export function momentIn(zone: Zone, at: Date): Dated | string {
  const wall = Math.floor(zone.wallTime(at.getTime()) / 1_000) * 1_000;
  return dated(wall, 'dateSeconds') ?? textOf(wall, 'dateSeconds');
}

/** Undefined for what is no date, or one that spreadsheets cannot have. */
export function dayOf(answer: string): Dated | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(answer)) return undefined;
  return readDateTime(`${answer}T00:00:00`) === undefined ? undefined : dated(Date.parse(`${answer}T00:00:00Z`), 'date');
}

export function timeOfDay(answer: string): Dated | undefined {
  const [, hours, minutes, seconds] = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(answer) ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  const ofDay = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds ?? 0);
  return new Dated(answer, ofDay / 86_400, seconds === undefined ? 'minutes' : 'seconds');
}

/** With an offset it is a moment, shown in this zone; without one it is the time on the wall already. Parts of seconds stay text: no cell shows them. */
export function dateTimeIn(zone: Zone, answer: string): Dated | undefined {
  const hasMinutesOnly = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}$/.test(answer);
  const normal = readDateTime(hasMinutesOnly ? `${answer}:00` : answer);
  const [, , , seconds, fraction, offset] = normal === undefined ? [] : (dateTimeShape.exec(normal) ?? []);
  if (normal === undefined || fraction !== undefined) return undefined;
  const wall = offset === undefined ? Date.parse(`${normal}Z`) : zone.wallTime(Date.parse(normal));
  return dated(wall, hasMinutesOnly || seconds === '00' ? 'dateMinutes' : 'dateSeconds');
}

function dated(wall: number, look: 'date' | 'dateMinutes' | 'dateSeconds'): Dated | undefined {
  return wall < firstDay ? undefined : new Dated(textOf(wall, look), (wall - epoch) / dayMs, look);
}

const lengths = { date: 10, dateMinutes: 16, dateSeconds: 19 } as const;

/** Without the `T`, all spreadsheets read it as what it is. */
const textOf = (wall: number, look: keyof typeof lengths): string => new Date(wall).toISOString().slice(0, lengths[look]).replace('T', ' ');
