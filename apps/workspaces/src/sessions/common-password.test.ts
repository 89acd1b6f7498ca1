import { isCommonPassword } from './common-password';

const email = 'ada.lovelace@example.org';

it.each([
  'password1234',
  'Password1234!',
  'P@ssw0rd2024!',
  'passwordpassword',
  'passw0rdpassw0rd',
  'qwertyuiop123',
  'qwertyuiopas',
  'zyxwvutsrqponm',
  '123456789012',
  '1234567890123456',
  'aaaaaaaaaaaa',
  'abababababab',
  'iloveyou1234',
  'administrator',
  'administrator1',
  'letmein123456',
  'adminadmin123',
  '!!!dragon!!!2024',
  'love12345678',
  '$unshine2024',
  '1q2w3e4r5t6y',
  'ｐａｓｓｗｏｒｄ１２３４',
  'ada.lovelace@example.org',
  'ada.lovelace2024',
  'Ada.Lovelace',
  'x7Kqx7Kqx7Kqx7Kq',
])('%s is common', (password) => {
  expect(isCommonPassword(password, email)).toBe(true);
});

it.each([
  'correct horse battery',
  'a good long one',
  'another good one',
  'a good long password',
  'mustbe12chars',
  'love73919264810',
  'x7Kq9!pZx7Kq9!pZ',
  'tr0ub4dor&3xyz',
  'Zk1oVnN3pQ8r',
  'ein langer Satz hilft',
  '長い秘密の合言葉です二十',
  'lovelace counts cards',
])('%s is not', (password) => {
  expect(isCommonPassword(password, email)).toBe(false);
});

it('looks at the longest passwords in no time', () => {
  for (const part of ['a', '1', 'ab', 'password1', '@4$5!', '!'])
    for (const end of ['', 'x', '1']) expect(typeof isCommonPassword(part.repeat(200).slice(0, 199) + end, email)).toBe('boolean');
});
