// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSndFile
internal import Foundation

/// Explains in Swiftlet's own messages why libsndfile or ffmpeg refuses a file.
///
/// The libraries' messages name their functions and fields ("Unspecified internal error", "moov atom not found"), may
/// be in another language, and may quote the file. So none of them is shown to users.
enum LibraryReason {
  /// Explains libsndfile's last error on a file; with nil, the error of a file that it could not open.
  static func soundFile(_ file: OpaquePointer?) -> String {
    let code = sf_error(file)
    if code == Int32(SF_ERR_SYSTEM) { return "the disk or the system refuses it" }
    if code == Int32(SF_ERR_UNSUPPORTED_ENCODING) { return "its encoding is not supported" }
    let words = String(cString: sf_strerror(file))
    return sentence(words, soundFileFragments, else: "its header or its sound is damaged")
  }

  /// Explains an error message of ffmpeg.
  static func ffmpeg(_ words: String) -> String {
    sentence(words, ffmpegFragments, else: "ffmpeg cannot work with it; 'ffmpeg -i FILE' shows more")
  }

  private static func sentence(
    _ words: String, _ fragments: [(String, String)], else usual: String
  ) -> String {
    let words = words.lowercased()
    return fragments.first { words.contains($0.0) }?.1 ?? usual
  }

  /// Parts of libsndfile's messages, in lower case, and their explanations. The first match is used.
  private static let soundFileFragments = [
    ("no sound data", "it holds no sound"), ("no 'data'", "its data chunk is missing"),
    ("channel", "its number of channels is out of range"),
    ("sample rate", "its sample rate is out of range"),
    ("sample size", "its sample size is not supported"),
    ("bit width", "its sample size is not supported"),
    ("wavpack", "it is WavPack; convert it to WAV or FLAC"),
    ("unimplemented", "its encoding is not supported"),
    ("compression", "its encoding is not supported"), ("seek", "it does not support seeking"),
    ("fmt", "its format chunk is missing or damaged"), ("comm", "its format chunk is missing or damaged"),
    ("no data could be read", "no bytes can be read from it"),
  ]

  /// Parts of ffmpeg's messages, in lower case, and their explanations. The first match is used.
  private static let ffmpegFragments = [
    ("it hangs", "it hangs"),
    ("moov atom not found", "its index is missing, as in a recording that was cut off"),
    ("no space left", "the disk is full"), ("permission denied", "it may not be read; check its permissions"),
    ("no such file", "it does not exist"), ("input/output error", "the disk failed"),
    ("does not contain any stream", "it holds no sound"), ("matches no streams", "it holds no sound"),
    ("unknown encoder", "this build of ffmpeg lacks the encoder"),
    ("unknown decoder", "this build of ffmpeg lacks the decoder"),
    ("decoder not found", "this build of ffmpeg lacks the decoder"),
    ("cannot allocate memory", "there is not enough memory"),
    ("end of file", "it ends too early"), ("invalid data", "its contents are damaged or of another format"),
    ("not implemented", "its encoding is not supported"), ("unsupported", "its encoding is not supported"),
  ]
}
