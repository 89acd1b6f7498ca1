// Writes the methods and messages of the operations in libs/contracts/src/operations into proto/, in place; everything else there is written by
// hand and stays. The committed files are the lock: a field keeps the number that it has, a new one gets the next, and the number of one
// that is gone is reserved, with its name beside it. `--check` writes nothing, and fails if a file would change.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSource, root } from './load-source.mjs';

const contracts = await loadSource(`export * from './libs/contracts/src/index';`);
const { carriedOf, isOperation, messageFields, operations, requestShape } = contracts;

const exported = new Map(Object.entries(contracts).map(([name, shape]) => [shape, name]));
/** The name of the message that carries a shape: its own, or that under which the shape, or the one that it was made of, is exported. */
function nameOf(shape, place) {
  const name = carriedOf(shape).message ?? exported.get(shape);
  if (name !== undefined) return name;
  if (shape._zod.parent === undefined) throw new Error(`${place}: export the shape, so that its message has a name`);
  return nameOf(shape._zod.parent, place);
}

/** The text of a shape, and not that of a property which has it. */
function textOf(shape) {
  const { parent } = shape._zod;
  return exported.has(shape) || carriedOf(shape).message !== undefined || parent === undefined ? shape.description : textOf(parent);
}

const whole = ['int32', 'int64'];

/** The type of the field that carries a shape, how often it is there, and the shape of its message, if it is one. */
function fieldOf(shape, place, isPatch = false) {
  const def = shape._zod.def;
  const inner = () => fieldOf(def.innerType, place, isPatch);
  switch (def.type) {
    case 'default':
    case 'prefault':
    case 'readonly':
      return inner();
    case 'pipe':
      return fieldOf(def.out, place, isPatch);
    case 'optional':
    case 'nullable': {
      const field = inner();
      if (field.isOptional && !isPatch) throw new Error(`${place}: null and absent are one in a message; only a patch keeps them apart`);
      return { ...field, label: field.label || 'optional ', isOptional: true };
    }
    case 'array': {
      const field = fieldOf(def.element, `${place}[]`);
      if (field.label !== '') throw new Error(`${place}: no field is a list of lists, or of what may be absent`);
      return { ...field, label: 'repeated ' };
    }
    case 'string':
    case 'enum':
    case 'literal':
      return { type: 'string', label: '' };
    case 'boolean':
      return { type: 'bool', label: '' };
    case 'number': {
      const checks = (def.checks ?? []).map(({ _zod }) => _zod.def);
      if (def.format === undefined && !checks.some(({ check }) => check === 'number_format')) return { type: 'double', label: '' };
      const greatest = Math.min(...checks.filter(({ check }) => check === 'less_than').map(({ value }) => value));
      return { type: greatest < 2 ** 31 ? 'int32' : 'int64', label: '' };
    }
    case 'object':
      return { type: nameOf(shape, place), label: '', message: shape };
    // A shape without a type of its own travels as JSON.
    case 'unknown':
    case 'any':
    case 'union':
    case 'record':
    case 'custom':
      return { type: 'bytes', label: '' };
    default:
      throw new Error(`${place}: no field carries ${def.type}`);
  }
}

/** The lines of a comment. */
function comment(text, indent) {
  const lines = [];
  for (const word of text?.split(/\s+/) ?? []) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length > 136) lines.push(`${indent}// ${word}`);
    else lines.splice(-1, 1, `${last} ${word}`);
  }
  return lines;
}

/** A proto file, with the fields of the messages that operations need, by name. */
class File {
  messages = new Map();
  methods = new Set();
  constructor(area) {
    this.path = join(root, `proto/sheaf/${area}/v1/${area}.proto`);
    this.text = this.before = readFileSync(this.path, 'utf8');
  }

  /** Takes a shape into its message. Several shapes may share one: what only some of them have is optional. */
  need(name, shape, isPatch = false) {
    const known = this.messages.get(name);
    if (known?.shapes.has(shape)) return;
    const message = known ?? { shapes: new Set(), fields: new Map(), description: textOf(shape) };
    this.messages.set(name, message);
    if (exported.get(shape) === name) message.description = shape.description;
    const fields = new Map(messageFields(shape).map((field) => [field.name, this.fieldIn(name, field, isPatch)]));
    const isShared = message.shapes.size > 0;
    for (const [field, one] of message.fields) if (!fields.has(field)) one.label ||= 'optional ';
    for (const [field, one] of fields) {
      const other = message.fields.get(field);
      if (other && other.type !== one.type) throw new Error(`${name}.${field}: is ${other.type} in one shape and ${one.type} in another`);
      message.fields.set(field, { ...one, label: other?.label || one.label || (isShared && !other ? 'optional ' : '') });
    }
    message.shapes.add(shape);
  }

  fieldIn(name, { name: field, shape, isPatched }, isPatch) {
    const { type, label, message } = fieldOf(shape, `${name}.${field}`, isPatch);
    if (message) this.need(type, message, isPatched);
    return { type, label: label || (isPatch ? 'optional ' : ''), isMessage: message !== undefined, description: shape.description };
  }

  /** Replaces what an expression finds, or appends to it what it does not. */
  put(expression, text, otherwise) {
    const found = expression.exec(this.text)?.[0];
    this.text = found === undefined ? otherwise(text) : this.text.replace(found, () => text);
  }

  /** The messages of methods that are written by hand, whose other fields stay. */
  shared() {
    const bodies = new Map([...this.text.matchAll(/^message (\w+) \{([\s\S]*?)^\}/gm)].map(([, name, body]) => [name, body]));
    const found = new Set();
    const visit = (name) => {
      if (found.has(name)) return;
      found.add(name);
      for (const [, type] of (bodies.get(name) ?? '').matchAll(/^ +(?:optional |repeated )?(\w+) \w+ = /gm)) visit(type);
    };
    for (const [, method, request, answer] of this.text.matchAll(/^ {2}rpc (\w+)\s*\((?:stream )?(\w+)\) returns \((?:stream )?(\w+)\)/gm))
      for (const name of [request, answer]) if (!this.methods.has(method) || !this.messages.has(name)) visit(name);
    return found;
  }

  putMessages() {
    const shared = this.shared();
    for (const [name, message] of this.messages) {
      const block = new RegExp(`(?:^//[^\\n]*\\n)*^message ${name} \\{(?:\\}|[\\s\\S]*?^\\})`, 'm');
      const text = messageText(name, message, block.exec(this.text)?.[0] ?? '', shared.has(name));
      this.put(block, text, () => `${this.text.trimEnd()}\n\n${text}\n`);
    }
  }

  putMethod(id, operation) {
    const method = operation.rpc.split('.')[1];
    this.methods.add(method);
    const line = new RegExp(`(?:^ {2}//[^\\n]*\\n)*^ {2}rpc ${method}\\s*\\((\\w+)\\)[^\\n]*`, 'm');
    // Methods may share the message of their request.
    const request = line.exec(this.text)?.[1] ?? `${method}Request`;
    this.need(request, requestShape(operation));
    const { answer = operation.reply ? nameOf(operation.reply, id) : `${method}Reply` } = operation;
    if (operation.answer === undefined) this.need(answer, operation.reply ?? requestShape({}));
    const { repeatable = operation.method === 'get' } = operation;
    const level = operation.method === 'get' ? 'NO_SIDE_EFFECTS' : 'IDEMPOTENT';
    const options = repeatable ? ` { option idempotency_level = ${level}; }` : ';';
    const text = [...comment(`${operation.summary} (${id}).`, '  '), `  rpc ${method}(${request}) returns (${answer})${options}`].join(
      '\n',
    );
    this.put(line, text, () => this.text.replace(/^(service \w+ \{[\s\S]*?)^\}/m, (_, start) => `${start}${text}\n}`));
  }
}

/**
 * @param known the message as it is committed
 * @param isShared whether fields that no shape has stay as they are
 */
function messageText(name, { fields, description }, known, isShared) {
  const rows = known.matchAll(/^((?: {2}\/\/[^\n]*\n)*) {2}(optional |repeated )?([\w.]+) (\w+) = (\d+);/gm);
  const committed = new Map([...rows].map(([text, , label, type, field, number]) => [field, { text, label, type, number: +number }]));
  const reserved = [...known.matchAll(/^ {2}reserved (\d+); \/\/ (\w+)/gm)].map(([, number, field]) => ({ number: +number, field }));
  const others = [...committed].filter(([field]) => !fields.has(field)).map(([field, one]) => ({ field, ...one }));
  let next = Math.max(0, ...[...committed.values(), ...reserved].map(({ number }) => number)) + 1;
  const lines = [...fields].map(([field, one]) => {
    if (reserved.some((other) => other.field === field)) throw new Error(`${name}.${field}: another field had this name; choose another`);
    const { label: had = '', type = one.type, number = next++ } = committed.get(field) ?? {};
    if (type !== one.type && !(whole.includes(type) && whole.includes(one.type)))
      throw new Error(`${name}.${field}: is ${type}, and ${one.type} would be misread by its neighbours; give it another name`);
    // A message may be absent with and without the label.
    const label = one.isMessage && one.label === 'optional ' ? had : one.label || (isShared ? had : '');
    return { number, lines: [...comment(one.description, '  '), `  ${label}${type} ${field} = ${number};`] };
  });
  const kept = isShared ? others.map(({ number, text }) => ({ number, lines: [text] })) : [];
  const taken = [...reserved, ...(isShared ? [] : others)].map(({ number, field }) => ({
    number,
    lines: [`  reserved ${number}; // ${field}`],
  }));
  const all = [...taken, ...kept, ...lines].sort((a, b) => a.number - b.number).flatMap(({ lines: own }) => own);
  return [...comment(description, ''), ...(all.length === 0 ? [`message ${name} {}`] : [`message ${name} {`, ...all, '}'])].join('\n');
}

const files = new Map();
for (const [id, operation] of Object.entries(operations)) {
  if (!isOperation(operation) || operation.rpc === undefined) continue;
  const area = operation.rpc.split('.')[0];
  if (!files.has(area)) files.set(area, new File(area));
  files.get(area).putMethod(id, operation);
}
for (const file of files.values()) file.putMessages();
const changed = [...files.values()].filter(({ text, before }) => text !== before);
if (process.argv.includes('--check')) {
  for (const { path } of changed) console.error(`${path.slice(root.length + 1)} is not what the operations say; run npx nx run rpc:proto`);
  process.exitCode = changed.length > 0 ? 1 : 0;
} else {
  for (const { path, text } of changed) writeFileSync(path, text);
  console.log(`libs/contracts/src/operations → proto, ${changed.length} files changed`);
}
