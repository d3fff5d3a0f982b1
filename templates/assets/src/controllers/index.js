// Every controller of the product by its name in templates.

import { Application } from '@hotwired/stimulus';
import AutoSubmit from './auto_submit_controller.js';
import Autocomplete from './autocomplete_controller.js';
import BadgeDot from './badge_dot_controller.js';
import BoostDelete from './boost_delete_controller.js';
import Composer from './composer_controller.js';
import CopyToClipboard from './copy_to_clipboard_controller.js';
import DropTarget from './drop_target_controller.js';
import ElementRemoval from './element_removal_controller.js';
import Filter from './filter_controller.js';
import Form from './form_controller.js';
import GraphemeLimit from './grapheme_limit_controller.js';
import Lightbox from './lightbox_controller.js';
import LocalTime from './local_time_controller.js';
import MaintainScroll from './maintain_scroll_controller.js';
import Messages from './messages_controller.js';
import Notifications from './notifications_controller.js';
import Popup from './popup_controller.js';
import Presence from './presence_controller.js';
import PwaInstall from './pwa_install_controller.js';
import ReadRooms from './read_rooms_controller.js';
import RefreshRoom from './refresh_room_controller.js';
import Reply from './reply_controller.js';
import RoomsList from './rooms_list_controller.js';
import ScrollIntoView from './scroll_into_view_controller.js';
import SearchResults from './search_results_controller.js';
import Sessions from './sessions_controller.js';
import SoftKeyboard from './soft_keyboard_controller.js';
import SortedList from './sorted_list_controller.js';
import Sound from './sound_controller.js';
import ToggleClass from './toggle_class_controller.js';
import TurboFrame from './turbo_frame_controller.js';
import TurboStreaming from './turbo_streaming_controller.js';
import TypingNotifications from './typing_notifications_controller.js';
import UploadPreview from './upload_preview_controller.js';
import WebShare from './web_share_controller.js';

const controllers = {
  'auto-submit': AutoSubmit,
  'autocomplete': Autocomplete,
  'badge-dot': BadgeDot,
  'boost-delete': BoostDelete,
  'composer': Composer,
  'copy-to-clipboard': CopyToClipboard,
  'drop-target': DropTarget,
  'element-removal': ElementRemoval,
  'filter': Filter,
  'form': Form,
  'grapheme-limit': GraphemeLimit,
  'lightbox': Lightbox,
  'local-time': LocalTime,
  'maintain-scroll': MaintainScroll,
  'messages': Messages,
  'notifications': Notifications,
  'popup': Popup,
  'presence': Presence,
  'pwa-install': PwaInstall,
  'read-rooms': ReadRooms,
  'refresh-room': RefreshRoom,
  'reply': Reply,
  'rooms-list': RoomsList,
  'scroll-into-view': ScrollIntoView,
  'search-results': SearchResults,
  'sessions': Sessions,
  'soft-keyboard': SoftKeyboard,
  'sorted-list': SortedList,
  'sound': Sound,
  'toggle-class': ToggleClass,
  'turbo-frame': TurboFrame,
  'turbo-streaming': TurboStreaming,
  'typing-notifications': TypingNotifications,
  'upload-preview': UploadPreview,
  'web-share': WebShare,
};

const application = Application.start();

for (const [name, controller] of Object.entries(controllers)) {
  application.register(name, controller);
}

// for scripts that an operator adds
window.Stimulus = application;
