import { savedName, seal, Tokens, unseal } from './tokens';

const [old, fresh] = ['o'.repeat(43), 'f'.repeat(43)];
const tokens = new Tokens([old]);

describe('the token of a page', () => {
  it('is another one for each page, and an idempotency key', () => {
    const [one, two] = [tokens.newPage('form'), tokens.newPage('form')];
    expect(one).not.toBe(two);
    expect(one).toMatch(/^[\x21-\x7e]{40,60}$/);
  });

  it('is valid for its own form only', () => {
    const token = tokens.newPage('form');
    expect(tokens.isPage('form', token)).toBe(true);
    expect(tokens.isPage('other', token)).toBe(false);
  });

  it.each(['', '.', 'x', 'a.b', `${'a'.repeat(22)}.${'a'.repeat(22)}`, 'é.é'])('is not %j', (forged) => {
    expect(tokens.isPage('form', forged)).toBe(false);
  });

  it('stays valid while its secret is being replaced, and not longer', () => {
    const token = tokens.newPage('form');
    expect(new Tokens([fresh, old]).isPage('form', token)).toBe(true);
    expect(new Tokens([fresh]).isPage('form', token)).toBe(false);
  });
});

describe('a signed receipt', () => {
  const receipt = { form: 'form', submission: 'one', sentAt: 1_000 };

  it('is read as it was signed', () => {
    expect(tokens.readReceipt(tokens.signReceipt(receipt))).toMatchObject(receipt);
    expect(new Tokens([fresh, old]).readReceipt(tokens.signReceipt(receipt))).toMatchObject(receipt);
  });

  it('cannot be forged, and is not taken for anything else that is signed', () => {
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(receipt)).toString('base64url')}.`;
    for (const token of ['', 'x', unsigned, new Tokens([fresh]).signReceipt(receipt), tokens.signReturn({ form: 'form', key: 'one' })])
      expect(tokens.readReceipt(token)).toBeUndefined();
    expect(tokens.readUpload(tokens.signReceipt(receipt))).toBeUndefined();
  });
});

describe('saved answers', () => {
  const content = { values: [['name', ['Ada']]] };

  it('can be read with their link only', () => {
    const link = tokens.savedLink('form', 'page');
    expect(unseal(link, seal(link, content))).toEqual(content);
    expect(() => unseal(tokens.savedLink('form', 'other'), seal(link, content))).toThrow();
  });

  it('have one link for each page, which cannot be guessed from their name', () => {
    expect(tokens.savedLink('form', 'page')).toBe(tokens.savedLink('form', 'page'));
    expect(tokens.savedLink('form', 'page')).toHaveLength(43);
    expect(savedName(tokens.savedLink('form', 'page')).toString('base64url')).not.toContain(tokens.savedLink('form', 'page'));
  });

  it('keep their link when pages get a new secret', () => {
    const page = tokens.newPage('form');
    expect(new Tokens([fresh, old]).savedLink('form', page)).toBe(tokens.savedLink('form', page));
  });

  it('are refused if a byte of them was changed', () => {
    const link = tokens.savedLink('form', 'page');
    const sealed = seal(link, content);
    sealed.writeUInt8(sealed.readUInt8(40) ^ 1, 40);
    expect(() => unseal(link, sealed)).toThrow();
  });
});

describe('the address of a step', () => {
  const content = { values: [['name', ['Ada Lovelace']]] };

  it('holds what was entered, for its form and for us alone', () => {
    const address = tokens.sealPlace('form', content);
    expect(address).toMatch(/^[\w-]+$/);
    expect(Buffer.from(address, 'base64url').toString('latin1')).not.toContain('Ada');
    expect(tokens.openPlace('form', address)).toEqual(content);
    expect(new Tokens([fresh, old]).openPlace('form', address)).toEqual(content);
    expect([tokens.openPlace('other', address), new Tokens([fresh]).openPlace('form', address)]).toEqual([undefined, undefined]);
  });

  it.each(['', 'x', '..', 'A'.repeat(5_000)])('cannot be made up: %j', (address) =>
    expect(tokens.openPlace('form', address)).toBeUndefined(),
  );

  it('cannot be changed or cut off', () => {
    const address = tokens.sealPlace('form', content);
    expect(tokens.openPlace('form', `${address.slice(0, -8)}AAAAAAAA`)).toBeUndefined();
    expect(tokens.openPlace('form', address.slice(0, -8))).toBeUndefined();
  });
});

it('the tie of a page to the address that got it counts for this page and address', () => {
  const here = tokens.signHere('page', '203.0.113.5');
  expect(tokens.isHere('page', '203.0.113.5', here)).toBe(true);
  expect(new Tokens([fresh, old]).isHere('page', '203.0.113.5', here)).toBe(true);
  for (const [page, address, signature] of [
    ['page', '203.0.113.6', here],
    ['other', '203.0.113.5', here],
    ['page', '203.0.113.5', ''],
  ] as const)
    expect(tokens.isHere(page, address, signature)).toBe(false);
});
