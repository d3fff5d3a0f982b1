// Stands in for Active Storage's uploader: files go to the composer's own
// queue and the editor accepts none.
export class DirectUpload {
  create(callback) {
    callback(new Error('The editor takes no files'));
  }
}
