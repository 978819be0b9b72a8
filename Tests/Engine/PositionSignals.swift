// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

/// A sound with a click every 0.1 s, so a click marks a multiple of 0.1 s.
struct Clicks {
  let rate: Double

  /// Twenty seconds. A click is a bell of about four frames to each side.
  var samples: [Float] {
    let gap = Int(rate / 10)
    return (0..<200 * gap).map { frame in
      let away = Double((frame + gap / 2) % gap - gap / 2)
      return Float(0.5 * exp(-away * away / 8))
    }
  }

  /// Returns the frames of clicks, each the centre of its bell.
  func frames(in heard: [Float]) -> [Double] {
    heard.indices.dropFirst(20).dropLast(20).compactMap { frame in
      guard heard[frame] > 0.25, heard[frame] > heard[frame - 1], heard[frame] >= heard[frame + 1] else {
        return nil
      }
      var sum = 0.0, weight = 0.0
      for near in frame - 12...frame + 12 {
        sum += Double(near) * Double(heard[near])
        weight += Double(heard[near])
      }
      return sum / weight
    }
  }

  /// Returns the number of clicks, and their largest deviation in frames of the sound from `position`, which maps
  /// seconds of the output to seconds of the sound.
  func errors(in heard: [Float], position: (Double) -> Double) -> (worst: Double, count: Int) {
    let errors = frames(in: heard).map { frame in
      let tenths = position(frame / rate) * 10
      return abs(tenths - tenths.rounded()) / 10 * rate
    }
    return (errors.max() ?? .infinity, errors.count)
  }
}

/// A tone that rises from 300 Hz by 60 Hz per second, so its pitch identifies the second of the sound.
struct Sweep {
  let rate: Double

  /// Twenty seconds.
  var samples: [Float] {
    (0..<Int(20 * rate)).map { frame in
      let time = Double(frame) / rate
      return Float(0.5 * sin(2 * .pi * (300 * time + 30 * time * time)))
    }
  }

  /// Returns the second of the sound that is heard within 0.05 s around a frame.
  func second(in heard: [Float], at frame: Int) -> Double {
    let reach = Int(rate / 20)
    var zeros: [Double] = []
    for near in frame - reach..<frame + reach where heard[near] < 0 && heard[near + 1] >= 0 {
      zeros.append(Double(near) - Double(heard[near] / (heard[near + 1] - heard[near])))
    }
    guard let first = zeros.first, let last = zeros.last, last > first else { return .infinity }
    let frequency = Double(zeros.count - 1) * rate / (last - first)
    return (frequency - 300) / 60
  }
}
