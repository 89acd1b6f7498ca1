import { z } from 'zod';
import { pictureDataUrl, samplePictureId } from '../app/option-image';
import { maxPictureBytes, maxPicturePixels, maxPictureSide, maxPicturesKept } from '../app/pictures';
import { described } from '../described';
import { operation } from './operation';
import { formId, pathParam } from './params';

const samplePicture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const FormPictureRequest = described(
  z.object({ picture: described(pictureDataUrl(maxPictureBytes), 'The picture, as a data URL.', samplePicture) }),
  'The picture to add.',
);

export const FormPicture = described(
  z.object({
    id: described(z.string(), 'The id of the picture: the SHA-256 hash of its bytes.', samplePictureId),
    picture: described(z.string(), 'The picture, as a data URL.', samplePicture),
  }),
  'A picture of a form.',
);

const path = '/app/v1/forms/:id/pictures';

export const addFormPicture = operation({
  method: 'post',
  path,
  params: { id: formId },
  summary: 'Add a picture to a form',
  description: `Adds a picture for options of a form (\`image\`): PNG, JPEG or WebP, of at most ${maxPictureBytes.toLocaleString('en')} bytes and ${maxPictureSide.toLocaleString('en')} pixels on a side, ${maxPicturePixels.toLocaleString('en')} in all. Respondents see it once it is in a draft that is published. One that neither a draft nor a version has is removed after a day. The same picture has the same id, and is kept once. A form keeps at most ${maxPicturesKept.toLocaleString('en')}, with those of its versions. For owners and editors.`,
  access: { scope: 'forms:write' },
  body: FormPictureRequest,
  status: 201,
  reply: FormPicture,
  errors: [400, 401, 403, 404],
  rpc: 'forms.AddPicture',
});

export const getFormPicture = operation({
  method: 'get',
  path: `${path}/:pictureId`,
  params: { id: formId, pictureId: pathParam('id', "The picture's id.", { sample: samplePictureId }) },
  summary: 'Get a picture of a form',
  description: 'Returns a picture of the options of a form. Viewers get those of published versions.',
  access: { scope: 'forms:read' },
  status: 200,
  reply: FormPicture,
  errors: [401, 403, 404],
  rpc: 'forms.GetPicture',
});
