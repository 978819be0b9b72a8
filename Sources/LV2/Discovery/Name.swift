// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The LV2 URIs that this host uses.
enum Name {
  private static let core = "http://lv2plug.in/ns/lv2core#"
  private static let extensions = "http://lv2plug.in/ns/ext/"
  private static let moreExtensions = "http://lv2plug.in/ns/extensions/"

  // Bundles.
  static let plugin = core + "Plugin"
  static let specification = core + "Specification"
  /// Whether a URI is that of an LV2 specification, other than the core, whose text this host does not read. It reads
  /// only units and parameters.
  static func isUnread(specification uri: String) -> Bool {
    (uri.hasPrefix(extensions) || uri.hasPrefix(moreExtensions)) && uri != moreExtensions + "units"
      && uri != extensions + "parameters"
  }
  static let ontology = "http://www.w3.org/2002/07/owl#Ontology"
  static let rdfsClass = "http://www.w3.org/2000/01/rdf-schema#Class"
  static let appliesTo = core + "appliesTo"
  /// The classes of plugins that generate sound without input. Listed here since a search path need not contain LV2's
  /// own vocabulary.
  static let sources: Set = [
    core + "GeneratorPlugin", core + "ConstantPlugin", core + "InstrumentPlugin", core + "OscillatorPlugin",
  ]
  static let seeAlso = "http://www.w3.org/2000/01/rdf-schema#seeAlso"
  static let type = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
  static let rest = "http://www.w3.org/1999/02/22-rdf-syntax-ns#rest"
  static let first = "http://www.w3.org/1999/02/22-rdf-syntax-ns#first"
  static let rdfNil = "http://www.w3.org/1999/02/22-rdf-syntax-ns#nil"

  // Ports.
  static let port = core + "port"
  static let index = core + "index"
  static let scalePoint = core + "scalePoint"
  static let audioPort = core + "AudioPort"
  static let controlPort = core + "ControlPort"
  static let cvPort = core + "CVPort"
  static let atomPort = extensions + "atom#AtomPort"
  static let inputPort = core + "InputPort"
  static let outputPort = core + "OutputPort"
  static let connectionOptional = core + "connectionOptional"
  static let enumeration = core + "enumeration"
  static let integer = core + "integer"
  static let toggled = core + "toggled"
  static let sampleRateBounds = core + "sampleRate"
  static let logarithmic = extensions + "port-props#logarithmic"
  static let isSideChain = core + "isSideChain"
  static let reportsLatency = core + "reportsLatency"
  static let designation = core + "designation"
  static let latency = core + "latency"
  static let enabled = core + "enabled"
  static let freeWheeling = core + "freeWheeling"
  /// Not in the specification. MOD's host and plugins made with DPF use the second.
  static let reset = core + "reset", propsReset = "http://kxstudio.sf.net/ns/lv2ext/props#Reset"
  static let symbol = core + "symbol"
  static let comment = "http://www.w3.org/2000/01/rdf-schema#comment"
  static let label = "http://www.w3.org/2000/01/rdf-schema#label"
  static let value = "http://www.w3.org/1999/02/22-rdf-syntax-ns#value"
  static let unit = moreExtensions + "units#unit"
  static let unitPrefix = moreExtensions + "units#"
  static let unitSymbol = moreExtensions + "units#symbol"
  static let supports = extensions + "atom#supports"
  static let minimumSize = extensions + "resize-port#minimumSize"

  // Port groups.
  static let group = extensions + "port-groups#group"
  static let mainInput = extensions + "port-groups#mainInput"
  static let mainOutput = extensions + "port-groups#mainOutput"
  static let sideChainOf = extensions + "port-groups#sideChainOf"

  // Properties.
  static let patchWritable = extensions + "patch#writable"
  static let patchReadable = extensions + "patch#readable"
  static let patchMessage = extensions + "patch#Message"
  static let patchGet = extensions + "patch#Get"
  static let patchSet = extensions + "patch#Set"
  static let patchPut = extensions + "patch#Put"
  static let patchProperty = extensions + "patch#property"
  static let patchValue = extensions + "patch#value"
  static let patchBody = extensions + "patch#body"
  static let range = "http://www.w3.org/2000/01/rdf-schema#range"
  static let minimum = core + "minimum"
  static let maximum = core + "maximum"
  static let defaultValue = core + "default"
  static let control = core + "control"

  // Presets and state.
  static let preset = extensions + "presets#Preset"
  static let presetValue = extensions + "presets#value"
  static let presetBank = extensions + "presets#bank"
  static let state = extensions + "state#state"
  static let stateInterface = extensions + "state#interface"
  static let loadDefaultState = extensions + "state#loadDefaultState"
  static let threadSafeRestore = extensions + "state#threadSafeRestore"
  static let mapPath = extensions + "state#mapPath"
  static let makePath = extensions + "state#makePath"
  static let freePath = extensions + "state#freePath"

  static let extensionData = core + "extensionData"
  static let programsInterface = "http://kxstudio.sf.net/ns/lv2ext/programs#Interface"

  // Features.
  static let uridMap = extensions + "urid#map"
  /// The predecessor of `uridMap`.
  static let uriMap = "http://lv2plug.in/ns/ext/uri-map"
  static let resizePort = extensions + "resize-port#resize"
  static let uridUnmap = extensions + "urid#unmap"
  static let options = extensions + "options#options"
  static let optionsInterface = extensions + "options#interface"
  static let requiredOption = extensions + "options#requiredOption"
  static let supportedOption = extensions + "options#supportedOption"
  static let boundedBlockLength = extensions + "buf-size#boundedBlockLength"
  static let fixedBlockLength = extensions + "buf-size#fixedBlockLength"
  static let powerOf2BlockLength = extensions + "buf-size#powerOf2BlockLength"
  static let coarseBlockLength = extensions + "buf-size#coarseBlockLength"
  static let minBlockLength = extensions + "buf-size#minBlockLength"
  static let maxBlockLength = extensions + "buf-size#maxBlockLength"
  static let nominalBlockLength = extensions + "buf-size#nominalBlockLength"
  static let sequenceSize = extensions + "buf-size#sequenceSize"
  static let sampleRate = extensions + "parameters#sampleRate"
  static let workerSchedule = extensions + "worker#schedule"
  static let workerInterface = extensions + "worker#interface"
  static let log = extensions + "log#log"
  static let logError = extensions + "log#Error"
  static let logWarning = extensions + "log#Warning"
  static let logTrace = extensions + "log#Trace"
  static let hardRealTime = core + "hardRTCapable"
  static let inPlaceBroken = core + "inPlaceBroken"
  static let isLive = core + "isLive"

  // Events.
  static let midiEvent = extensions + "midi#MidiEvent"
  static let atomPrefix = extensions + "atom#"
  static let sequence = atomPrefix + "Sequence"
  static let chunk = atomPrefix + "Chunk"
  static let object = atomPrefix + "Object"
  static let atomInt = atomPrefix + "Int"
  static let atomLong = atomPrefix + "Long"
  static let atomFloat = atomPrefix + "Float"
  static let atomDouble = atomPrefix + "Double"
  static let atomBool = atomPrefix + "Bool"
  static let atomString = atomPrefix + "String"
  static let atomPath = atomPrefix + "Path"
  static let atomURI = atomPrefix + "URI"
  static let atomURID = atomPrefix + "URID"
  static let atomVector = atomPrefix + "Vector"
  static let atomTuple = atomPrefix + "Tuple"
  static let beatTime = atomPrefix + "beatTime"
  static let frameTime = atomPrefix + "frameTime"

  // The transport.
  static let position = extensions + "time#Position"
  static let timeFrame = extensions + "time#frame"
  static let timeSpeed = extensions + "time#speed"
  static let timeBar = extensions + "time#bar"
  static let timeBeat = extensions + "time#beat"
  static let timeFramesPerSecond = extensions + "time#framesPerSecond"
  static let timeBarBeat = extensions + "time#barBeat"
  static let timeBeatUnit = extensions + "time#beatUnit"
  static let timeBeatsPerBar = extensions + "time#beatsPerBar"
  static let timeBeatsPerMinute = extensions + "time#beatsPerMinute"
}
