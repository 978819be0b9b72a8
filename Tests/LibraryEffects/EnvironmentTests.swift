// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletLibraryEffects
import SwiftletSignal
import SwiftletTesting
import Testing

/// Position and level of sources, compared with the formulas.
struct EnvironmentTests {
  /// The distance models as the OpenAL specification defines them.
  private func book(_ model: Int, _ distance: Double, _ near: Double, _ far: Double, _ decay: Double)
    -> Double
  {
    let there = max(near, min(distance, far))
    switch model {
    case 0: return near / (near + decay * (there - near))
    case 1: return pow(there / near, -decay)
    default: return max(0, 1 - decay * (there - near) / (far - near))
    }
  }

  @Test(arguments: 0..<3) func `distance attenuates by the model's formula`(model: Int) throws {
    var rig = try EnvironmentRig()
    rig.set(.distanceModel, Float(model))
    for (near, far, decay) in [(1.0, 100_000.0, 1.0), (2, 50, 0.5), (0.5, 20, 3), (1, 10, 0)] {
      rig.set(.referenceDistance, Float(near))
      rig.set(.maximumDistance, Float(far))
      rig.set(.rollOff, Float(decay))
      for step in 0..<60 {
        let distance = 0.1 * pow(1.17, Double(step))
        rig.put(at: SIMD3(0, 0, Float(-distance)))
        let (left, right, _) = rig.gains()
        let expected = book(model, Double(Float(distance)), near, far, decay) * 0.5.squareRoot()
        #expect(abs(left - expected) <= 2e-7 * max(1, expected), "\(distance) m, \(near), \(far), \(decay)")
        #expect(left == right)
      }
    }
  }

  @Test(arguments: 0..<3) func `a maximum distance within the reference distance has no effect`(model: Int)
    throws
  {
    var rig = try EnvironmentRig()
    rig.set(.distanceModel, Float(model))
    rig.set(.referenceDistance, 10)
    rig.set(.maximumDistance, 10)
    rig.put(at: SIMD3(0, 0, -500))
    #expect(abs(rig.gains().left - 0.5.squareRoot()) < 1e-7)
  }

  @Test func `equal power gains are cosine and sine of half the angle from the left`() throws {
    var rig = try EnvironmentRig()
    for degrees in stride(from: -180.0, through: 180, by: 7.5) {
      let angle = degrees * .pi / 180
      rig.put(at: SIMD3(Float(sin(angle)), 0, Float(-cos(angle))))
      let (left, right, _) = rig.gains()
      // A source behind the listener is panned like one in front.
      let mirrored = abs(degrees) > 90 ? (degrees > 0 ? 180 : -180) - degrees : degrees
      let half = (mirrored + 90) * .pi / 360
      #expect(abs(left - cos(half)) < 2e-4 && abs(right - sin(half)) < 2e-4, "\(degrees)°")
      #expect(abs(left * left + right * right - 1) < 1e-6, "\(degrees)°")
    }
  }

  @Test func `the power of equal power panning is constant in all directions`() throws {
    var rig = try EnvironmentRig()
    for step in 0..<200 {
      let height = Double(step) / 100 - 0.995, angle = 2.4 * Double(step),
        flat = (1 - height * height).squareRoot()
      rig.put(at: SIMD3<Float>(SIMD3(flat * sin(angle), height, flat * cos(angle))))
      let (left, right, _) = rig.gains()
      #expect(abs(left * left + right * right - 1) < 1e-6)
      let side = flat * sin(angle)
      #expect(abs(right * right - left * left - side) < 1e-5)
    }
  }

  @Test func `turning the head equals moving the source the opposite way`() throws {
    for (yaw, pitch, roll) in [
      (30.0, 0.0, 0.0), (-110, 20, 0), (75, -40, 33), (180, 90, -120), (-20, 60, 170),
    ] {
      for rendering in [Float(0), 1] {
        var rotated = try EnvironmentRig(), moved = try EnvironmentRig()
        let point = SIMD3(0.3, -0.5, -0.8)
        rotated.set(.yaw, Float(yaw))
        rotated.set(.pitch, Float(pitch))
        rotated.set(.roll, Float(roll))
        rotated.put(at: SIMD3<Float>(point))
        rotated.set(.rendering, rendering)
        moved.put(at: SIMD3<Float>(seen(point, yaw, pitch, roll)))
        moved.set(.rendering, rendering)
        let noise = [Signals.noise(2000)]
        let one = rotated.render(noise), other = moved.render(noise)
        for channel in 0..<2 {
          let worst = zip(one[channel], other[channel]).map { abs($0 - $1) }.max() ?? 1
          #expect(worst < 1e-4, "\(yaw)°, \(pitch)°, \(roll)°")
        }
      }
    }
  }

  /// A point in the coordinates of a turned head: undoes yaw, then pitch, then roll.
  private func seen(_ point: SIMD3<Double>, _ yaw: Double, _ pitch: Double, _ roll: Double) -> SIMD3<Double> {
    var (x, y, z) = (point.x, point.y, point.z)
    func rotate(_ a: inout Double, _ b: inout Double, _ degrees: Double) {
      let angle = degrees * .pi / 180
      (a, b) = (a * cos(angle) - b * sin(angle), a * sin(angle) + b * cos(angle))
    }
    // Yaw to the right turns −z to x, so undoing it turns x to −z. Pitch up turns −z to y. Roll to the right turns y
    // to x.
    rotate(&z, &x, yaw)
    rotate(&y, &z, -pitch)
    rotate(&x, &y, roll)
    return SIMD3(x, y, z)
  }

  @Test func `a listener facing right hears a source in front on the left`() throws {
    var rig = try EnvironmentRig()
    rig.set(.yaw, 90)
    #expect(rig.gains().left > 0.999 && rig.gains().right < 1e-3)
    rig.set(.yaw, 0)
    rig.set(.roll, 90)
    rig.put(at: SIMD3(0, 1, 0))
    #expect(rig.gains().left > 0.999)
    rig.set(.pitch, 90)
    rig.set(.roll, 0)
    rig.put(at: SIMD3(1, 0, 0))
    #expect(rig.gains().right > 0.999)
  }

  @Test func `source positions are relative to the listener's position`() throws {
    var rig = try EnvironmentRig()
    rig.put(at: SIMD3(5, 2, -3))
    rig.set(.listenerX, 2)
    rig.set(.listenerY, 2)
    rig.set(.listenerZ, -3)
    let (left, right, _) = rig.gains()
    #expect(left < 1e-6 && abs(right - 1.0 / 3) < 1e-6)
  }

  @Test func `at or near the head's centre the output stays bounded, and the centre is centred`() throws {
    for rendering in [Float(0), 1] {
      var rig = try EnvironmentRig()
      rig.set(.rendering, rendering)
      for point in [SIMD3<Float>(0, 0, 0), SIMD3(1e-7, 0, 0), SIMD3(1e-4, -1e-5, 0), SIMD3(0, 0.01, 0.01)] {
        rig.put(at: point)
        rig.reset()
        let heard = rig.render([Signals.noise(2000)])
        #expect(heard.joined().allSatisfy { abs($0) < 4 })
      }
      guard rendering == 0 else { continue }
      rig.put(at: SIMD3(0, 0, 0))
      #expect(abs(rig.gains().left - rig.gains().right) < 1e-7)
    }
  }

  @Test func `the reverb blend splits a source between direct sound and reverb`() throws {
    var rig = try EnvironmentRig(channels: 2)
    rig.put(1, at: SIMD3(4, 0, 0))
    rig.set(.gain, of: 0, -96)
    for blend in [0.0, 25, 50, 100] {
      rig.set(.reverbBlend, of: 1, Float(blend))
      rig.set(.reverbLevel, 6)
      rig.set(.gain, -3)
      let (_, right, reverb) = rig.gains(), level = pow(10, -3.0 / 20) / 4
      #expect(abs(right - level * (1 - blend / 100)) < 1e-6)
      #expect(abs(reverb - level * blend / 100 * pow(10, 6.0 / 20)) < 1e-6)
    }
    rig.set(.enabled, of: 1, 0)
    #expect(rig.gains().reverb == 0 && rig.gains().right == 0)
  }

  /// The level of a sine at the left and the reverb output, in dB relative to the input.
  private func level(
    _ frequency: Double, rate: Double, _ parameter: Environment.SourceParameter, _ value: Float
  )
    throws -> (
      direct: Double, reverb: Double
    )
  {
    var rig = try EnvironmentRig(rate: rate)
    rig.put(at: SIMD3(-1, 0, 0))
    rig.set(.reverbBlend, 50)
    rig.set(parameter, value)
    let count = Int(rate)
    let sine = (0..<count).map { Float(sin(2 * .pi * frequency * Double($0) / rate)) }
    let heard = rig.render([sine])
    func power(_ samples: [Float]) -> Double {
      let late = samples[(count / 2)...]
      return 10 * log10(late.reduce(0) { $0 + Double($1) * Double($1) } * 2 / Double(late.count)) + 6.0206
    }
    return (power(heard[0]), power(heard[2]))
  }

  @Test(arguments: [44_100.0, 48_000, 96_000])
  func `obstruction attenuates the direct sound alone, by its decibels at 5 kHz`(rate: Double) throws {
    for decibels in [Float(-1), -6, -20, -40] {
      let (direct, reverb) = try level(5000, rate: rate, .obstruction, decibels)
      #expect(abs(direct - Double(decibels)) < 0.01 && abs(reverb) < 0.01)
      let low = try level(10, rate: rate, .obstruction, decibels)
      #expect(low.direct > (decibels < -20 ? -3 : -0.2))
    }
  }

  @Test func `occlusion attenuates direct sound and reverb by its decibels at 5 kHz`() throws {
    for decibels in [Float(-1), -6, -20, -40] {
      let (direct, reverb) = try level(5000, rate: 48_000, .occlusion, decibels)
      #expect(abs(direct - Double(decibels)) < 0.01 && abs(reverb - Double(decibels)) < 0.01)
    }
  }

  @Test func `each input channel is one source, and bands or more than 32 channels are refused`() {
    for bands in [1, 4] {
      #expect(throws: EffectError.bands(bands)) {
        _ = try EffectRig<Environment>(EnvironmentRig.layout(channels: 3, bands: bands))
      }
    }
    #expect(throws: EffectError.channels(33)) {
      _ = try EffectRig<Environment>(EnvironmentRig.layout(channels: 33))
    }
  }
}
