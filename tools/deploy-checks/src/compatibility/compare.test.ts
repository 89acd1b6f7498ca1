import protobuf from 'protobufjs';
import { z } from 'zod';
import { breaks } from './compare';
import { eventAgreement, protoAgreement, type Agreement, type EventsModule } from './current';

const proto = `syntax = "proto3"; package tea.v1;
  service Kettle { rpc Boil (BoilRequest) returns (BoilReply); rpc Pour (BoilRequest) returns (BoilReply); }
  enum Leaf { LEAF_NONE = 0; LEAF_GREEN = 1; }
  message BoilRequest { string id = 1; optional int32 degrees = 2; repeated string cups = 3; Leaf leaf = 4; }
  message BoilReply { string id = 1; oneof how { string hot = 2; string cold = 3; } }`;

const events = () => ({
  domainEvents: { 'tea.poured': { source: 'kettle', consumers: ['cup', 'saucer'] } },
  TeaPoured: z.object({
    id: z.string(),
    leaf: z.enum(['green', 'black']),
    note: z.string().optional(),
    cups: z.array(z.object({ size: z.int() })),
  }),
});

const agreement = (text = proto, module: EventsModule = events()): Agreement => ({
  ...protoAgreement(protobuf.parse(text, { keepCase: true }).root),
  events: eventAgreement(module),
});

const withBody = (change: (body: ReturnType<typeof events>['TeaPoured']) => z.ZodType): EventsModule => ({
  ...events(),
  TeaPoured: change(events().TeaPoured),
});

describe('a compatible change of the protos is', () => {
  it.each([
    ['no change at all', proto, proto],
    ['adding a method', 'service Kettle {', 'service Kettle { rpc Fill (BoilRequest) returns (BoilReply);'],
    [
      'adding a message and a service',
      'enum Leaf',
      'message Spoon { string id = 1; } service Drawer { rpc Open (Spoon) returns (Spoon); } enum Leaf',
    ],
    ['adding a field', 'string id = 1; optional', 'string id = 1; bool slow = 5; optional'],
    ['adding an enum value', 'LEAF_GREEN = 1;', 'LEAF_GREEN = 1; LEAF_BLACK = 2;'],
    ['removing a field whose number stays reserved', 'optional int32 degrees = 2;', 'reserved 2;'],
    ['removing a field within a reserved range', 'optional int32 degrees = 2;', 'reserved 2, 7 to 9;'],
  ])('%s', (_what, before, after) => {
    expect(proto).toContain(before);
    expect(breaks(agreement(), agreement(proto.replace(before, after)))).toEqual([]);
  });
});

describe('an incompatible change of the protos is', () => {
  it.each([
    ['removing a service', 'service Kettle', 'service Pot', 'tea.v1.Kettle: the service was removed'],
    ['removing a method', 'rpc Pour (BoilRequest) returns (BoilReply);', '', 'tea.v1.Kettle.Pour: the method was removed'],
    [
      'changing the request message',
      'rpc Pour (BoilRequest)',
      'rpc Pour (BoilReply)',
      'tea.v1.Kettle.Pour: takes tea.v1.BoilReply instead of tea.v1.BoilRequest',
    ],
    [
      'making a method stream',
      'rpc Pour (BoilRequest) returns (BoilReply)',
      'rpc Pour (BoilRequest) returns (stream BoilReply)',
      'tea.v1.Kettle.Pour: streams out instead of nothing',
    ],
    [
      'removing a field without reserving its number',
      'optional int32 degrees = 2;',
      '',
      'tea.v1.BoilRequest.degrees: the field was removed, and its number 2 is not reserved',
    ],
    ['renaming a field', 'int32 degrees', 'int32 celsius', 'tea.v1.BoilRequest.degrees: the field was removed'],
    ['changing the number of a field', 'degrees = 2', 'degrees = 9', 'tea.v1.BoilRequest.degrees: number 9 instead of 2'],
    ['changing the type of a field', 'int32 degrees', 'string degrees', 'tea.v1.BoilRequest.degrees: type string instead of int32'],
    [
      'making a repeated field singular',
      'repeated string cups',
      'string cups',
      'tea.v1.BoilRequest.cups: label implicit instead of repeated',
    ],
    ['making an optional field implicit', 'optional int32', 'int32', 'tea.v1.BoilRequest.degrees: label implicit instead of optional'],
    [
      'taking a field out of its oneof',
      'oneof how { string hot = 2; string cold = 3; }',
      'string hot = 2; string cold = 3;',
      'tea.v1.BoilReply.hot: oneof nothing instead of how',
    ],
    ['renumbering an enum value', 'LEAF_GREEN = 1', 'LEAF_GREEN = 2', 'tea.v1.Leaf.LEAF_GREEN: is 2 instead of 1'],
  ])('%s', (_what, before, after, fault) => {
    expect(proto).toContain(before);
    const found = breaks(agreement(), agreement(proto.replace(before, after)));
    expect(found).toContainEqual(expect.stringContaining(fault));
  });
});

describe('a compatible change of the events is', () => {
  it.each<[string, EventsModule]>([
    ['no change at all', events()],
    ['saying what a property is', withBody((body) => body.extend({ id: z.string().meta({ description: 'The id.' }) }))],
    ['adding an optional property', withBody((body) => body.extend({ sugar: z.int().optional() }))],
    [
      'adding an event',
      {
        ...events(),
        domainEvents: { ...events().domainEvents, 'cup.broken': { source: 'cup', consumers: [] } },
        CupBroken: z.object({ id: z.string() }),
      },
    ],
    ['adding a consumer', { ...events(), domainEvents: { 'tea.poured': { source: 'kettle', consumers: ['cup', 'saucer', 'spoon'] } } }],
  ])('%s', (_what, module) => {
    expect(breaks(agreement(), agreement(proto, module))).toEqual([]);
  });
});

describe('an incompatible change of the events is', () => {
  it.each<[string, EventsModule, string]>([
    ['removing an event', { ...events(), domainEvents: {} }, 'tea.poured: the event was removed'],
    [
      'changing the sender of an event',
      { ...events(), domainEvents: { 'tea.poured': { source: 'pot', consumers: ['cup', 'saucer'] } } },
      'tea.poured: is sent by pot',
    ],
    [
      'removing a consumer',
      { ...events(), domainEvents: { 'tea.poured': { source: 'kettle', consumers: ['cup'] } } },
      'tea.poured: saucer no longer confirms it',
    ],
    ['removing a property', withBody((body) => body.omit({ id: true })), 'tea.poured.id: was removed'],
    ['removing an optional property', withBody((body) => body.omit({ note: true })), 'tea.poured.note: was removed'],
    ['adding a required property', withBody((body) => body.extend({ sugar: z.int() })), 'tea.poured.sugar: is now required'],
    ['making an optional property required', withBody((body) => body.required({ note: true })), 'tea.poured.note: is now required'],
    ['making a required property optional', withBody((body) => body.partial({ id: true })), 'tea.poured.id: is now optional'],
    ['changing the type of a property', withBody((body) => body.extend({ id: z.int() })), 'tea.poured.id: type integer instead of string'],
    [
      'adding a value to an enum property',
      withBody((body) => body.extend({ leaf: z.enum(['green', 'black', 'white']) })),
      'tea.poured.leaf: enum',
    ],
    ['removing a value from an enum property', withBody((body) => body.extend({ leaf: z.enum(['green']) })), 'tea.poured.leaf:'],
    [
      'making a property stricter',
      withBody((body) => body.extend({ id: z.string().max(5) })),
      'tea.poured.id: maxLength 5 instead of nothing',
    ],
    [
      'changing a nested property',
      withBody((body) => body.extend({ cups: z.array(z.object({ size: z.string() })) })),
      'tea.poured.cups.*.size: type string instead of integer',
    ],
  ])('%s', (_what, module, fault) => {
    expect(breaks(agreement(), agreement(proto, module))).toContainEqual(expect.stringContaining(fault));
  });

  it('rejects an event without a body', () => {
    expect(() => agreement(proto, { domainEvents: events().domainEvents })).toThrow(
      'tea.poured has no body: events.ts exports no TeaPoured.',
    );
  });
});
