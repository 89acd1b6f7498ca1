import { z } from 'zod';
import { described, leftOut } from '../described';
import { trimmed } from '../shapes';

/** A small picture, as a data URL. */
export const pictureDataUrl = (most: number) =>
  z
    .string('must be a string')
    .regex(/^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/, 'must be a data URL of a PNG, JPEG or WebP picture')
    .max(Math.ceil(most / 3) * 4 + 30, `must be a picture of at most ${most} bytes`);

export const pictureId = () =>
  z.string('must be a string').regex(/^[0-9a-f]{64}$/, 'must be the id of a picture: 64 digits of 0–9 and a–f');

export const samplePictureId = 'd7a8fbb307d7809469ca9abcb0082e4f8d5651e46d3cdb762d08d0bf37c9e592';

/** The picture of an option. The label stays the name of the option. */
export const OptionImage = described(
  z.object({
    picture: described(pictureId(), 'The id of the picture, as addFormPicture returns it.', samplePictureId),
    alt: described(
      trimmed(1, 200).optional(),
      'The text for people who do not see the picture, if it says more than the label. Without it, they hear the label alone.',
      leftOut,
    ),
  }),
  'The picture of an option, which hosted pages show above its label at `/f/{form}/pictures/{picture}`.',
);

export type OptionImage = z.output<typeof OptionImage>;
