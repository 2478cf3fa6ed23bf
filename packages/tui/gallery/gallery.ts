/** Run by `npm run gallery`. */
import { startGallery } from './app.ts';

startGallery();
