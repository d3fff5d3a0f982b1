// Entry of all pages.

import './initializers/current.js';
import './initializers/turbo.js';
import './initializers/install_prompt.js';
import './initializers/cable_stream_source.js';
import './initializers/autocomplete_elements.js';
import './controllers/index.js';
import './initializers/editor.js';
