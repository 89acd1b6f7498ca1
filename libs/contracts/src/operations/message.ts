import { z } from 'zod';

/** How a message carries a shape, where the two differ. */
export interface Carried {
  /** The name of the message. Without it, it is the name under which the shape is exported. */
  readonly message?: string;
  /** The names of fields, by property. */
  readonly names?: Readonly<Record<string, string>>;
  /** Properties whose parts are fields of this message: `{ author: 'author' }` for `author_kind` and `author_id`. */
  readonly flat?: Readonly<Record<string, string>>;
  /** Properties that travel as JSON, whole, although a message could have their parts: those of which most readers look at nothing. */
  readonly json?: readonly string[];
  /** Properties that travel as JSON in another form than people send; services read both. */
  readonly jsonAs?: Readonly<Record<string, (value: never) => unknown>>;
  /** Properties that no message has, because only the gateway needs them. */
  readonly without?: readonly string[];
  /** A property that travels with the names of what it sets, because null and absent are one in a message. */
  readonly patch?: string;
}

const carried = z.registry<Carried>();

export const carriedOf = (shape: z.ZodType): Carried => carried.get(shape) ?? {};

/** Says how a message carries a shape, in addition to what was said before. */
export function carriedAs<T extends z.ZodType>(shape: T, how: Carried): T {
  carried.add(shape, { ...carriedOf(shape), ...how });
  return shape;
}

/** A shape of which the gateway keeps some properties to itself. The property only carries their names, and is never there. */
export interface Partly<K extends string> {
  readonly '~kept': K;
}

/** Says that no message has some properties of a shape, because only the gateway needs them. */
export const uncarried = <T extends z.ZodType, const K extends string>(shape: T, ...without: readonly K[]) =>
  carriedAs(shape, { without }) as T & Partly<K>;

/** A field of a message, and where its value is in the value that the message carries. */
export interface MessageField {
  readonly name: string;
  readonly property: string;
  /** For a field of a flat property. */
  readonly part?: string;
  readonly shape: z.ZodType;
  /** Whether any of the fields of its message may be absent. */
  readonly isPatched?: true;
}

const namesSet = z
  .array(z.string())
  .meta({ description: 'The properties that were sent. One without a value in `patch` was sent as null.' });

/** The fields of the message that carries an object. */
export function messageFields(shape: z.ZodObject): MessageField[] {
  const { names = {}, flat = {}, json = [], jsonAs = {}, without = [], patch } = carriedOf(shape);
  return Object.entries<z.ZodType>(shape.shape).flatMap(([property, part]): MessageField[] => {
    if (without.includes(property)) return [];
    if (property === patch)
      return [
        { name: property, property, shape: part, isPatched: true },
        { name: 'set', property, shape: namesSet },
      ];
    const start = flat[property];
    const carrier = json.includes(property) || property in jsonAs ? jsonOf(part) : part;
    if (start === undefined) return [{ name: names[property] ?? property, property, shape: carrier }];
    const parts = Object.entries<z.ZodType>(objectIn(part).shape);
    return parts.map(([name, of]) => ({
      name: `${start}_${name}`,
      property,
      part: name,
      shape: isOptional(part) && !isOptional(of) ? of.optional().meta({ description: of.description }) : of,
    }));
  });
}

function jsonOf(shape: z.ZodType): z.ZodType {
  const json = z.custom((value) => value !== undefined && value !== null).meta({ description: `${shape.description} As JSON.` });
  return shape.safeParse(undefined).success ? json.optional() : json;
}

const isOptional = (shape: z.ZodType) => shape.safeParse(undefined).success;

function objectIn(shape: z.ZodType): z.ZodObject {
  const inner = (shape._zod.def as { innerType?: z.ZodType }).innerType;
  return inner === undefined ? (shape as z.ZodObject) : objectIn(inner);
}
